import { expect, test } from 'vitest'
import type { HistoryEntry } from '../../index.ts'
import { historyText, purchaseText } from './history.ts'

const measurement = (query: string, by: string[], scale: number) => ({ query, by, cells: 10, epsilon: 0.01, scale })
const entry = (more: Partial<HistoryEntry>): HistoryEntry => ({
  number: 2,
  at: '2026-11-17T04:33:48.748Z',
  analyst: null,
  statement: null,
  state: 'recorded',
  cost: { epsilon: 0.123456, delta: 0 },
  measurements: [],
  ...more,
})
const linesOf = (text: string | Iterable<string>) => (typeof text === 'string' ? text.split('\n') : [...text])
const several = [measurement('count, by age', ['age'], 3.1234), measurement('count, by sex', ['sex'], 2718.28)]

test('a purchase is one line of at most the width, whatever was asked', () => {
  const long = 'SELECT AVG(age), '.repeat(20)
  const entries = [
    entry({ statement: long, measurements: several }),
    entry({ number: 1234, analyst: 'alice', measurements: [measurement('count where x = y and '.repeat(9), [], 1)] }),
    entry({ number: 1236, state: 'open', begun: { marginals: 2925, cells: 123456, epsilon: 1 } }),
  ]
  for (const width of [80, 120]) {
    const lines = linesOf(historyText(entries, width))
    expect(lines.length).toBe(2 + entries.length + 2)
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width)
  }
})

test('a release is told by its tables, and what was chosen for it', () => {
  const [, , tables, chosen] = linesOf(
    historyText(
      [entry({ measurements: several }), entry({ measurements: several, choices: { count: 3, epsilon: 0.1 } })],
      80,
    ),
  )
  expect(tables).toMatch(/2 tables over age and sex, 20 cells +0.123456 {2}3.12 … 2,720$/)
  expect(chosen).toContain('2 tables, 3 choices, 20 cells')
})

test('of one purchase everything is shown, with prices that add up', () => {
  const cost = { epsilon: 0.1, delta: 1e-6, rho: 0.0003 }
  const rho = several.map((each, i) => ({ ...each, rho: 0.0001 * (i + 1) }))
  const text = linesOf(purchaseText(entry({ cost, measurements: rho, statement: 'SELECT 1' }))).join('\n')
  expect(text).toMatch(/^row 2 · 2026-11-17 04:33:48\nSELECT 1\n/)
  expect(text).toMatch(/count, by age +10 +0.0001 .*\ncount, by sex +10 +0.0002 .*\ncost ε 0.1 \(ρ 0.0003\)$/)
})
