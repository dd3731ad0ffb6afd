import type { Column } from './dialect.ts'
import { unreadable } from './errors.ts'

/** A column by its exact name, or by the only one that differs in case alone. */
export function columnNamed(columns: ReadonlyMap<string, Column>, wanted: string): Column | undefined {
  const exact = columns.get(wanted)
  if (exact) return exact
  const near = [...columns.keys()].filter((c) => c.toLowerCase() === wanted.toLowerCase())
  return near.length === 1 ? columns.get(near[0]!) : undefined
}

/**
 * The columns of these names; all that are missing are named at once. What there is instead is not: it may be a record.
 */
export function requireColumns(columns: ReadonlyMap<string, Column>, wanted: readonly string[]): Column[] {
  const missing = wanted.filter((n) => !columnNamed(columns, n))
  if (missing.length > 0) {
    throw unreadable(
      `the source has no column ${missing.map((n) => JSON.stringify(n)).join(', ')}`,
      'The owner can list its columns with `reticent check`.',
      { missing },
    )
  }
  return wanted.map((n) => columnNamed(columns, n)!)
}
