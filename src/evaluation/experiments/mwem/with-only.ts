import { universe } from '../../../schema/index.ts'
import type { CodedTable } from '../../marginals/index.ts'

/** A table of some of its attributes. */
export function withOnly(table: CodedTable, names: readonly string[]): CodedTable {
  const places = names.map((name) => table.universe.index.get(name)!)
  return {
    ...table,
    universe: universe(places.map((place) => table.universe.attributes[place]!)),
    columns: places.map((place) => table.columns[place]!),
  }
}
