import { type LinearQuery, parseSql, type QueryList, queryKey } from '../../query/index.ts'
import { parseWorkload } from '../../release/index.ts'
import { ReticentError, usage } from '../../schema/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { SynthesisRequest } from './options.ts'

/** All tables over two attributes or, where there is but one, over that. */
const usual = ({ attributes }: Book['universe']) => `${Math.min(2, attributes.length)}-way`

/** The queries that a method is to choose among: those that a text names, or the parts of SQL statements, each once. */
export async function workloadOf(
  { queries }: Pick<SynthesisRequest, 'queries'>,
  { dataset, universe }: Pick<Book, 'dataset' | 'universe'>,
  random: () => number,
): Promise<QueryList> {
  if (queries === undefined || typeof queries === 'string')
    return parseWorkload(queries ?? usual(universe), universe, random)
  const found = new Map<string, LinearQuery>()
  for (const [i, sql] of queries.entries()) {
    const { parts } = await parseSql(sql, { dataset, universe }).catch((error) => {
      throw numbered(error, i + 1)
    })
    for (const part of parts) found.set(queryKey(part), part)
  }
  if (found.size === 0) throw usage('the workload has no statements', 'Statements in a file end in semicolons.')
  return [...found.values()]
}

/** Which of several statements it is about. */
function numbered(error: unknown, statement: number): unknown {
  if (!(error instanceof ReticentError)) return error
  const { code, facts, message, detail, hint } = error
  return new ReticentError(code, Object.assign({}, facts, { statement }), {
    message: `statement ${statement}: ${message}`,
    detail,
    hint,
  })
}
