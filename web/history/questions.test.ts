import { expect, test } from 'vitest'
import type { HistoryEntry } from './entry.tsx'
import { questionsOf } from './questions.ts'

const purchase = (number: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  number,
  at: '2026-11-17T04:33:48.748Z',
  analyst: null,
  statement: 'SELECT AVG(age)',
  state: 'recorded',
  cost: { epsilon: 0.125, delta: 0 },
  measurements: [{ query: 'sum of age', by: [], cells: 1, epsilon: 0.125, scale: number }],
  ...more,
})

test('purchases in a row for one statement are one question', () => {
  const [steps, other, again] = questionsOf([purchase(2), purchase(4), purchase(6, { statement: null }), purchase(8)])
  expect(steps).toMatchObject({
    first: 2,
    number: 4,
    cost: { epsilon: 0.25 },
    measurements: [{ scale: 2 }, { scale: 4 }],
  })
  expect([other, again]).toMatchObject([
    { first: 6, number: 6 },
    { first: 8, number: 8, cost: { epsilon: 0.125 } },
  ])
})

test('those of other analysts, and prices in ρ, stay apart', () => {
  const rho = { cost: { epsilon: 0.1, delta: 1e-6, rho: 0.001 } }
  expect(questionsOf([purchase(2), purchase(4, { analyst: 'bob' })])).toHaveLength(2)
  expect(questionsOf([purchase(2, rho), purchase(4, rho)])).toHaveLength(2)
})
