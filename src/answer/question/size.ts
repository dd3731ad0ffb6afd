import { rowCount, type Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'

/** Each number of an answer has an interval and a key, together some hundred bytes on the way: half a GB. */
const mostNumbers = 2 ** 18

/** Refuses, before anything is looked at, an answer of more numbers than are handed out at once. */
export function checkSize({ axes, rows, columns, parts }: Statement): void {
  const groups = Math.max(rowCount({ axes, rows }), cellsOf(rows))
  const values = columns.filter(({ kind }) => kind === 'value').length
  const most = Math.floor(mostNumbers / Math.max(1, values, parts.length))
  if (groups <= most) return
  throw problem(
    'query-invalid',
    `this has ${groups.toLocaleString('en')} groups; at most ${most.toLocaleString('en')} are allowed for a question of this kind`,
    'Group by fewer attributes, ask for some of the groups with WHERE, or write the table to a file with `reticent release marginals`.',
    { groups, most },
  )
}

/** Groups that rows are made of. */
const cellsOf = (rows: Statement['rows'] = []): number => rows.reduce((n, { groups }) => n + groups.length, 0)
