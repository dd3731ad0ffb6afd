import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Choice, choice, draw } from './choice.ts'

/** The law that a table stands for: what every column gives to itself and to its alias. */
function lawOf({ outcomes, threshold, alias }: Choice, parent: number): number[] {
  const law = new Array<number>(outcomes).fill(0)
  for (let column = 0; column < outcomes; column++) {
    const cell = parent * outcomes + column
    law[column]! += threshold[cell]! / outcomes
    law[alias[cell]!]! += (1 - threshold[cell]!) / outcomes
  }
  return law
}

const weights = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength: length, maxLength: length })
    .filter((w) => w.some((x) => x > 0))

test('the tables stand for the weights, parent by parent', () => {
  const laws = fc.integer({ min: 1, max: 40 }).chain((n) => fc.array(weights(n), { minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(laws, (given) => {
      const tables = choice(given)
      given.forEach((list, parent) => {
        const total = list.reduce((a, b) => a + b, 0)
        // A column's height passes through at most n additions of doubles below n, each off by n·2^-53 at most.
        const tolerance = list.length ** 2 * 2 ** -52
        lawOf(tables, parent).forEach((p, i) => {
          expect(Math.abs(p - list[i]! / total)).toBeLessThanOrEqual(tolerance)
        })
      })
    }),
  )
})

test('an outcome of weight 0 is never drawn, whatever the word', () => {
  const tables = choice([[0, 3, 0, 1, 0]])
  const words = Array.from({ length: 2 ** 16 }, (_, i) => i * 2 ** 16)
  expect(new Set([...words, 2 ** 32 - 1].map((word) => draw(tables, 0, word)))).toEqual(new Set([1, 3]))
})

test('evenly spread words give every outcome its share, signed or not', () => {
  const tables = choice([
    [1, 1, 1],
    [5, 1, 2],
  ])
  const seen = [0, 0, 0]
  const words = 2 ** 15
  for (let i = 0; i < words; i++) seen[draw(tables, 1, (i * 2 ** 17) | 0)]!++
  // Each of three columns is cut once: the count is off by one word at each of its edges at most.
  for (const [i, share] of [5 / 8, 1 / 8, 2 / 8].entries()) expect(Math.abs(seen[i]! - words * share)).toBeLessThan(6)
})
