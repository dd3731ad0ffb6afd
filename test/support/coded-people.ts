import { seededBits } from '../../src/evaluation/index.ts'
import type { CodedTable } from '../../src/evaluation/marginals/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'

export const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 6, closed: true }),
  attribute({ kind: 'integer', name: 'state', low: 0, high: 3, closed: true }),
  attribute({ kind: 'boolean', name: 'rich', closed: true }),
])
/** These rows, as codes. */
export const tableOf = (rows: readonly (readonly number[])[]): CodedTable => ({
  name: 'people',
  universe: people,
  rows: rows.length,
  columns: people.attributes.map((_, a) => Uint16Array.from(rows, (row) => row[a]!)),
})
const { uniform } = seededBits(1)
const code = (below: number) => Math.floor(uniform() * below)
/** 400 people; the older, the more often rich. */
export const someRows = Array.from({ length: 400 }, () => {
  const age = code(7)
  return [age, code(4), uniform() < age / 8 ? 1 : 0]
})
export const some = tableOf(someRows)
