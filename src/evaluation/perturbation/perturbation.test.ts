import { describe, expect, test } from 'vitest'
import { attribute, universe } from '../../schema/index.ts'
import { seededBits } from '../seeded.ts'
import { flipping } from './flipping.ts'
import { projected } from './projected.ts'
import { retentionReplacement } from './retention-replacement.ts'

const sizes = [3, 2, 4]
const rows = 200_000
const { uniform } = seededBits(17)
const table = {
  name: 'test',
  universe: universe(
    sizes.map((size, i) => attribute({ kind: 'integer', name: `x${i}`, low: 0, high: size - 1, closed: true })),
  ),
  rows,
  columns: sizes.map((size) => Uint16Array.from({ length: rows }, () => Math.floor(size * uniform() ** 2))),
}
table.columns[1] = table.columns[1]!.map((code, r) => (table.columns[0]![r] === 0 ? 0 : code))

const exact = (attributes: readonly number[]) => {
  const shares = new Float64Array(attributes.reduce((n, a) => n * sizes[a]!, 1))
  for (let r = 0; r < rows; r++)
    shares[attributes.reduce((cell, a) => cell * sizes[a]! + table.columns[a]![r]!, 0)]! += 1 / rows
  return shares
}

describe.each([
  ['retention replacement', retentionReplacement],
  ['flipping', flipping],
] as const)('%s', (_, perturb) => {
  test('tells joint distributions and counts without bias', () => {
    // At ε = 12 for three attributes hardly anything is left of the truth's noise: shares are known to within a percent.
    const perturbed = perturb(table, 12, seededBits(4).uniform)
    for (const attributes of [[0], [0, 1], [2, 0, 1]]) {
      const [told, truth] = [perturbed.joint(attributes), exact(attributes)]
      for (const [cell, share] of told.entries()) expect(Math.abs(share - truth[cell]!)).toBeLessThan(0.01)
    }
    const ranges = [
      { attribute: 0, from: 1, to: 2 },
      { attribute: 2, from: 0, to: 1 },
    ]
    const truth = exact([0, 2]).reduce((sum, share, cell) => sum + (cell >= 4 && cell % 4 <= 1 ? share : 0), 0)
    expect(Math.abs(perturbed.count(ranges) / rows - truth)).toBeLessThan(0.01)
  })

  test('tells next to nothing at a small ε', () => {
    const perturbed = perturb(table, 0.01, seededBits(4).uniform)
    const truth = exact([0, 2])
    const off = perturbed.joint([0, 2]).reduce((sum, share, cell) => sum + Math.abs(share - truth[cell]!), 0)
    expect(off).toBeGreaterThan(0.3)
  })
})

test('the nearest distribution has no negative shares and keeps one that is a distribution', () => {
  expect([...projected(Float64Array.of(0.5, 0.25, 0.25))]).toEqual([0.5, 0.25, 0.25])
  const near = projected(Float64Array.of(1.2, -0.4, 0.3))
  expect(near.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
  expect(near[1]).toBe(0)
})
