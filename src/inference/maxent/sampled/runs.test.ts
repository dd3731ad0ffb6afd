import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { one, rational } from '../../../numeric/index.ts'
import type { LinearQuery } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { addMeans, compileScopes, potential, type Scope } from '../scope.ts'
import { scopeRows } from './runs.ts'

const size = 12
const u = universe([...'ab'].map((name) => attribute({ kind: 'integer', name, low: 0, high: size - 1, closed: true })))
const { uniform } = seededBits(1)
const interval = () => {
  const [x, y] = [uniform(), uniform()].map((share) => Math.floor(size * share)) as [number, number]
  return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) } as const
}
const range = () => ({ coefficient: 1, factors: { a: interval(), b: interval() } })

/** Ranges, and sums of two that overlap: cells of one count once or twice. */
const queries = Array.from(
  { length: 60 },
  (_, i): LinearQuery => ({ by: [], terms: i % 3 === 0 ? [range(), range()] : [range()], step: one }),
)
const law = { kind: 'laplace', scale: rational(1) } as const
const { scopes } = compileScopes(
  u,
  queries.map((query) => ({ query, law, values: Float64Array.of(0) })),
)
const scope: Scope = scopes[0]!
const numbers = (count: number) => Float64Array.from({ length: count }, () => uniform() - 0.5)

test('runs of cells add up as the cells do', () => {
  const table = numbers(scope.cells)
  const [fast, slow] = [new Float64Array(queries.length), new Float64Array(queries.length)]
  scopeRows(scope).means(table, fast)
  addMeans(scope, table, slow)
  for (const [i, mean] of slow.entries()) expect(fast[i]).toBeCloseTo(mean, 12)
})

test('weights are spread over runs as over cells, whatever was in the table', () => {
  const w = numbers(queries.length)
  const table = numbers(scope.cells)
  scopeRows(scope).potential(w, table)
  for (const [cell, theta] of potential(scope, w).entries()) expect(table[cell]).toBeCloseTo(theta, 12)
})
