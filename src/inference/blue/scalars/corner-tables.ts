import type { Listed } from './corners.ts'

/** Columns that are written out at a time: a table of a thousand rows stays below 10 MB. */
const wide = 1024

/** Lists of queries as tables with a column for each of their corners, some columns at a time. Corners are below `end`. */
export function* tablesOf(lists: readonly (readonly Listed[])[], end: number): Generator<Float64Array[][]> {
  const columns = new Int32Array(end)
  let count = 0
  for (const list of lists)
    for (const { sparse } of list)
      for (let k = 0; k < sparse.at.length; k++) if (columns[sparse.at[k]!] === 0) columns[sparse.at[k]!] = ++count
  for (let from = 1; from <= count; from += wide) {
    const width = Math.min(wide, count + 1 - from)
    yield lists.map((list) =>
      list.map(({ sparse: { at, values } }) => {
        const row = new Float64Array(width)
        for (let k = 0; k < at.length; k++) {
          const column = columns[at[k]!]! - from
          if (column >= 0 && column < width) row[column] = values[k]!
        }
        return row
      }),
    )
  }
}

export function transposed(rows: readonly Float64Array[]): Float64Array[] {
  const columns = Array.from(rows[0] ?? [], () => new Float64Array(rows.length))
  for (const [i, row] of rows.entries()) for (let j = 0; j < row.length; j++) columns[j]![i] = row[j]!
  return columns
}
