import { expect, test } from 'vitest'
import { seededBits } from '../seeded.ts'
import { barak } from './barak.ts'
import { degreeOf, hadamard } from './hadamard.ts'

const { uniform } = seededBits(1)
const code = (below: number) => Math.floor(uniform() * below)

test("Hadamard's transform is the sum of parities", () => {
  const values = Float64Array.from({ length: 16 }, uniform)
  const sums = Array.from({ length: 16 }, (_, set) =>
    values.reduce((sum, value, cell) => sum + (degreeOf(set & cell) % 2 === 0 ? value : -value), 0),
  )
  hadamard(values.slice()).forEach((sum, set) => {
    expect(sum).toBeCloseTo(sums[set]!, 12)
  })
})

test('without noise to speak of Barak et al. keep all marginals of up to k attributes', () => {
  const counts = Float64Array.from({ length: 32 }, () => 20 + code(100))
  const made = barak(counts, { degree: 2, epsilon: 1e7, bits: seededBits(2) })
  const [exact, now] = [hadamard(counts.slice()), hadamard(made.slice())]
  for (let set = 0; set < 32; set++)
    if (degreeOf(set) <= 2) expect(Math.abs(now[set]! - exact[set]!)).toBeLessThan(0.02 * exact[0]!)
  expect(Math.min(...made)).toBeGreaterThan(0)
})
