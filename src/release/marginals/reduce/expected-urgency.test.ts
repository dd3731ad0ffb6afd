import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectedUrgency } from './expected-urgency.ts'

const multiples = [0.1, 0.2, 0.4, 0.8, 1.6, 2.4, 3.2, 4, 4.8, 5.6]

/** The judgement as it is defined, answer by answer; of answers by scale, rounded to a tenth from -8 on. */
function slowly(answers: readonly number[], floor: number): number[] {
  const seen = answers.map((y) => Math.max(-8, Math.round(y * 10) / 10))
  const hidden = seen.filter((_, i) => answers[i]! < 5)
  const chance = (y: number, x: number) => Math.exp(-Math.abs(y - x))
  let shares = multiples.map(() => 1)
  const posterior = (y: number) => {
    const joint = multiples.map((x, b) => shares[b]! * chance(y, x))
    const all = joint.reduce((a, b) => a + b)
    return joint.map((p) => p / all)
  }
  for (let round = 0; round < 8; round++) {
    const explained = hidden.map(posterior)
    shares = multiples.map((_, b) => 0.25 + explained.reduce((sum, p) => sum + p[b]!, 0))
  }
  return answers.map((answer, i) => {
    if (answer >= 5) return 1 / Math.max(floor, answer)
    const y = seen[i]!
    return posterior(y).reduce((sum, p, b) => {
      const x = multiples[b]!
      return sum + (p * Math.min((y - x) ** 2 / 2, 4.5)) / Math.max(floor, x)
    }, 0)
  })
}

const cases = fc.record({
  answers: fc.array(fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -9000, max: 40_000 })), {
    minLength: 1,
    maxLength: 60,
  }),
  scale: fc.constantFrom(0.7, 25, 110, 3000),
  floor: fc.constantFrom(0.5, 30, 800),
})

test('it is the posterior mean under the mixture that explains the table', () => {
  fc.assert(
    fc.property(cases, ({ answers, scale, floor }) => {
      const unit = expectedUrgency.most(scale, floor) / 2 ** 40
      const { weigh, total } = expectedUrgency.look(Float64Array.from(answers), { scale, floor, unit })
      const expected = slowly(
        answers.map((y) => y / scale),
        floor / scale,
      )
      // Apart by rounding in floating point, a few hundred operations, and to whole units.
      answers.forEach((y, i) => {
        expect(Math.abs(weigh(y) * unit * scale - expected[i]!)).toBeLessThan(1e-11 * expected[i]! + 2 * unit * scale)
        expect(weigh(y) * unit).toBeLessThanOrEqual(expectedUrgency.most(scale, floor))
      })
      expect(total).toBe(answers.reduce((sum, y) => sum + weigh(y), 0))
    }),
    { numRuns: 300 },
  )
})

test('it sees bad luck: of counts that noise hides, the one that was hit by more weighs more', () => {
  const table = Float64Array.of(-250, -100, -20, 10, 30, 60, -90, 150, 5000, 70_000)
  const { weigh } = expectedUrgency.look(table, { scale: 100, floor: 1, unit: 1e-9 })
  expect(weigh(-250)).toBeGreaterThan(2 * weigh(-100))
  expect(weigh(-100)).toBeGreaterThan(2 * weigh(10))
})
