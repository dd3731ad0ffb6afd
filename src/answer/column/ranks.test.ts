import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankBounds } from './ranks.ts'

const number = { kind: 'part', part: 0 } as const
const descending = { by: number, descending: true, nullsFirst: true } as const

test('whatever the numbers within their bounds are, ranks lie between those told', () => {
  const row = fc.record({ low: fc.integer({ min: 0, max: 8 }), width: fc.nat(3), at: fc.double({ min: 0, max: 1 }) })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 7 }), fc.boolean(), (rows, isDense) => {
      const truths = rows.map(({ low, width, at }) => low + Math.round(at * width))
      const bounds = rows.map(({ low, width }) => [{ low, high: low + width }])
      for (const [i, truth] of truths.entries()) {
        const above = truths.filter((other) => other > truth)
        const rank = 1 + (isDense ? new Set(above).size : above.length)
        const { low, high } = rankBounds({ by: [descending], ties: isDense ? 'dense' : 'rank' }, bounds, i)
        expect(low).toBeLessThanOrEqual(rank)
        expect(high).toBeGreaterThanOrEqual(rank)
      }
    }),
  )
})

test('bounds that do not touch leave no doubt', () => {
  const rows = [
    { low: 5, high: 6 },
    { low: 1, high: 2 },
    { low: 8, high: 9 },
  ].map((bounds) => [bounds])
  const ranks = rows.map((_, i) => rankBounds({ by: [descending], ties: 'rank' }, rows, i))
  expect(ranks).toEqual([2, 3, 1].map((rank) => ({ low: rank, high: rank })))
})
