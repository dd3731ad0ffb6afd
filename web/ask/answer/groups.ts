import type { Group, GroupedColumn, Key } from '../columns.ts'

/** A row of a GROUP BY: its keys, and one estimate per column. */
export interface GroupRow {
  readonly keys: readonly Key[]
  readonly cells: readonly Group[]
}

/** The rows of all columns side by side. */
export const rowsOf = (names: readonly string[], columns: readonly GroupedColumn[]): GroupRow[] =>
  columns[0]!.groups.map((group, i) => ({
    keys: names.map((name) => group.key[name] ?? null),
    cells: columns.map((column) => column.groups[i]!),
  }))

/** The names of the keys, also where there is no row. */
export const keyNames = (columns: readonly GroupedColumn[], given: readonly string[] | undefined): readonly string[] =>
  given ?? Object.keys(columns[0]?.groups[0]?.key ?? {})

/** Whether noise alone could have made this number: the interval holds 0. */
export const isMostlyNoise = ({ interval: [low, high] }: Pick<Group, 'interval'>): boolean =>
  (low === null || low <= 0) && (high === null || high >= 0)

/** The ends of a scale that holds all estimates with their intervals, and 0. */
export function extentOf(groups: readonly Group[]): { low: number; high: number } {
  const ends = groups.flatMap(({ estimate, interval }) => [estimate, ...interval]).filter((n) => n !== null)
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) }
}

export type Order = { readonly by: number; readonly down: boolean } | undefined

/** Rows by a column: keys first, then values; in the order they came where none is chosen. */
export function sorted(rows: readonly GroupRow[], order: Order): readonly GroupRow[] {
  if (!order) return rows
  const cellOf = (row: GroupRow) =>
    order.by < row.keys.length ? row.keys[order.by]! : row.cells[order.by - row.keys.length]!.estimate
  const compare = (a: Key | undefined, b: Key | undefined): number => {
    if (a === b) return 0
    if (a === null || a === undefined) return 1
    if (b === null || b === undefined) return -1
    return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
  }
  return [...rows].sort((a, b) => (order.down ? -1 : 1) * compare(cellOf(a), cellOf(b)))
}
