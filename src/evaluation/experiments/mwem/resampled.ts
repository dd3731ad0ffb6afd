import type { CodedTable } from '../../marginals/index.ts'

/** As many rows, drawn from the real ones with replacement: about what no method can be expected to beat. Not private. */
export function bootstrapped(table: CodedTable, random: () => number): CodedTable {
  const rows = Uint32Array.from({ length: table.rows }, () => Math.floor(random() * table.rows))
  return { ...table, columns: table.columns.map((column) => Uint16Array.from(rows, (row) => column[row]!)) }
}

/** The real columns, each shuffled by itself: what is left when nothing goes with anything. Not private. */
export const independentColumns = (table: CodedTable, random: () => number): CodedTable => ({
  ...table,
  columns: table.columns.map((column) => shuffled(column, random)),
})

function shuffled(column: Uint16Array, random: () => number): Uint16Array {
  const values = column.slice()
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const value = values[i]!
    values[i] = values[j]!
    values[j] = value
  }
  return values
}
