import {
  type Answer,
  type Asked,
  ask,
  askRelative,
  askWithin,
  freeAnswer,
  Knowledge,
  type Relative,
  type Within,
} from '../../src/answer/index.ts'
import { fromNumber } from '../../src/numeric/index.ts'
import { parseSql, type Statement } from '../../src/query/index.ts'
import type { Universe } from '../../src/schema/index.ts'
import type { Quota } from '../../src/trusted/meter/index.ts'
import { metered, people } from './metered.ts'

type Shares = Pick<Relative, 'relative' | 'floor' | 'maxEpsilon'>
type Widths = Pick<Within, 'within' | 'floor' | 'maxEpsilon'>
type How = Partial<Asked> & (Widths | Shares | { epsilon: number } | { free: true })

/** Statements read so far, by the attributes that they are about. */
const statements = new WeakMap<Universe, Map<string, Promise<Statement>>>()
function read(sql: string, universe: Universe): Promise<Statement> {
  const known = statements.get(universe) ?? new Map<string, Promise<Statement>>()
  statements.set(universe, known)
  const statement = known.get(sql) ?? parseSql(sql, { dataset: 'people', universe })
  known.set(sql, statement)
  return statement
}

/** Questions in SQL about data in memory, as `open` would put them. */
export async function asking(options: Parameters<typeof metered>[0] = {}) {
  const { book, meter } = await metered(options)
  const knowledge = new Knowledge(book, Math.random)
  const put = async (sql: string, how: How, quota: Quota | null = null): Promise<Answer | undefined> => {
    const at = { book, knowledge, quota, meter }
    const statement = await read(sql, options.over ?? people)
    const asked = { confidence: 0.95, ...how }
    if ('free' in asked) return freeAnswer(statement, asked, at)
    if ('relative' in asked) return askRelative(statement, asked, at)
    return 'within' in asked
      ? askWithin(statement, asked, at)
      : ask(statement, { ...asked, epsilon: fromNumber(asked.epsilon) }, at)
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whichever shape the answer has
  return { book, meter, put: async (sql: string, how: How, quota?: Quota): Promise<any> => put(sql, how, quota) }
}
