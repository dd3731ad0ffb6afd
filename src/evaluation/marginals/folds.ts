import type { CodedTable } from './table.ts'

/** The table cut at random into parts of equal size, to within a row. */
export function folds(table: CodedTable, count: number, uniform: () => number): CodedTable[] {
  const order = shuffled(table.rows, uniform)
  const start = (fold: number) => Math.floor((fold * table.rows) / count)
  return Array.from({ length: count }, (_, fold) => {
    // In the table's own order, which is read faster.
    const rows = order.slice(start(fold), start(fold + 1)).sort()
    return { ...table, rows: rows.length, columns: table.columns.map((column) => gather(column, rows)) }
  })
}

function shuffled(length: number, uniform: () => number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, i) => i)
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1))
    const swapped = order[i]!
    order[i] = order[j]!
    order[j] = swapped
  }
  return order
}

function gather(column: Uint16Array, rows: Uint32Array): Uint16Array {
  const gathered = new Uint16Array(rows.length)
  for (let i = 0; i < rows.length; i++) gathered[i] = column[rows[i]!]!
  return gathered
}

/** The counts of all parts but one, added up. */
export function withoutPart(counts: readonly (readonly Float64Array[])[], left: number): Float64Array[] {
  return counts[0]!.map((_, m) => {
    const sum = new Float64Array(counts[0]![m]!.length)
    for (const [part, marginals] of counts.entries())
      if (part !== left) for (let i = 0; i < sum.length; i++) sum[i]! += marginals[m]![i]!
    return sum
  })
}
