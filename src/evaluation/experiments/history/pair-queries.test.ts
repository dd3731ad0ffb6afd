import { expect, test } from 'vitest'
import { KernelFits } from '../../../inference/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { seededBits } from '../../seeded.ts'
import { pairQueries } from './pair-queries.ts'
import { pastQueries } from './past.ts'

test.each(['range', 'counting'] as const)('every %s query of small domains is an answer that a model fits', (kind) => {
  const bits = seededBits(1)
  const u = universe(['a', 'b', 'c'].map((name) => attribute({ kind: 'integer', name, low: 0, high: 1, closed: true })))
  const columns = u.attributes.map(() => Uint16Array.from({ length: 500 }, () => Math.floor(2 * bits.uniform())))
  const table = { name: 'small', universe: u, rows: 500, columns }
  const { past, exact } = pastQueries(table, pairQueries[kind](u, 200, bits.uniform), 2, bits)
  // A large α follows the answers: what is left of them is near the truth, one by one and in order.
  const fitted = new KernelFits(past, []).model(1e4).fitted()
  expect(fitted.length).toBe(200)
  for (const [i, value] of fitted.entries()) expect(Math.abs(value - exact[i]!)).toBeLessThan(25)
})
