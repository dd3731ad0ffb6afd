import { expect, test } from 'vitest'
import type { Improvement } from '../../index.ts'
import { improvedText } from './improved.ts'

const count = (estimate: number, within: number) => ({ name: 'count', estimate, within })
const improvement = {
  number: 2,
  statement: "SELECT COUNT(*) FROM people WHERE age >= 65 AND sex = 'Female'",
  before: [count(36_508, 300)],
  now: [count(36_507.4321, 72.0291)],
  byModel: [{ name: 'count', estimate: 36_507.4321, error: 139.567 }],
} as unknown as Improvement

test('what was asked is told first, and no more digits than are known', () => {
  const [header, , line] = [...improvedText([improvement], 80)]
  expect(header).toContain('by the model · off by')
  expect(line).toMatch(/^ +2 {2}WHERE age >= 65 .*36,508 ±300 +36,507 ±72 +36,507 · 140$/)
})

test('a model that does not know its error is not said to', () => {
  const unsure = { ...improvement, byModel: [{ name: 'count', estimate: 36_507.4321 }] } as unknown as Improvement
  const [header, , line] = [...improvedText([unsure], 80)]
  expect(header).toMatch(/by the model$/)
  expect(line).toMatch(/36,507$/)
})

test('what nothing is known of is unknown', () => {
  const nothing = { name: 'corr', estimate: null, interval: [-1, 1], within: null }
  const lost = { ...improvement, before: [nothing], now: [nothing], byModel: undefined } as unknown as Improvement
  const [, , line] = [...improvedText([lost], 80)]
  expect(line).toMatch(/ unknown +unknown$/)
})
