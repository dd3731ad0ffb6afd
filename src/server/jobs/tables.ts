import type { MarginalsRelease, SynthRelease } from '../../index.ts'
import { label } from '../../schema/index.ts'
import type { JobTable, JobTables } from '../api/index.ts'

/** More cells than this are no chart. */
const mostCells = 20_000
/** Of all tables of a job together. */
const mostInAll = 400_000

type Attribute = MarginalsRelease['tables'][number]['attributes'][number]

const axis = (attribute: Attribute): JobTable['attributes'][number] => ({
  name: attribute.name,
  kind: attribute.kind,
  labels: Array.from({ length: attribute.size }, (_, code) => label(attribute, code)),
})

function within(
  limit: number,
  tables: Iterable<{ readonly cells: number; readonly table: () => JobTable }>,
): JobTables {
  const kept: JobTable[] = []
  let [sum, more] = [0, 0]
  for (const { cells, table } of tables) {
    if (cells > mostCells || sum + cells > limit) more++
    else {
      sum += cells
      kept.push(table())
    }
  }
  return { tables: kept, more }
}

/** Released tables, for charts. */
export const tablesOfRelease = ({ tables }: MarginalsRelease): JobTables =>
  within(
    mostInAll,
    tables.map(({ attributes, counts, within }) => ({
      cells: counts.length,
      table: () => ({ attributes: attributes.map(axis), counts: [...counts], within }),
    })),
  )

/** How often each value, and each pair of values of two small attributes, occurs among made-up records. */
export function tablesOfRows({ rows, model: { universe } }: SynthRelease): JobTables {
  const { attributes } = universe
  const of = (columns: readonly number[]) => ({
    cells: columns.reduce((product, i) => product * attributes[i]!.size, 1),
    table: () => counted(columns.map((i) => ({ attribute: attributes[i]!, codes: rows[i]! }))),
  })
  const all = attributes.map((_, i) => i)
  const pairs = all.flatMap((i) => all.slice(i + 1).map((j) => [i, j]))
  return within(mostInAll, [...all.map((i) => of([i])), ...pairs.map(of)])
}

function counted(columns: readonly { readonly attribute: Attribute; readonly codes: ArrayLike<number> }[]): JobTable {
  const size = columns.reduce((product, { attribute }) => product * attribute.size, 1)
  const counts = new Float64Array(size)
  const { length } = columns[0]!.codes
  for (let row = 0; row < length; row++) {
    let cell = 0
    for (const { attribute, codes } of columns) cell = cell * attribute.size + codes[row]!
    counts[cell]!++
  }
  return { attributes: columns.map(({ attribute }) => axis(attribute)), counts: [...counts], within: null }
}
