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

test('what one question bought step by step is one line', () => {
  const step = (number: number, more: Partial<HistoryEntry> = {}) =>
    entry({ number, statement: 'SELECT AVG(age)', measurements: [measurement('sum of age', [], number)], ...more })
  const lines = linesOf(historyText([step(2), step(4), step(6, { statement: 'SELECT SUM(age)' }), step(8)], 80))
  expect(lines).toHaveLength(2 + 3)
  expect(lines[2]).toMatch(/^2…4 .*SELECT AVG\(age\) +0.246912 +2 … 4$/)
  expect(lines[3]).toMatch(/^ +6 .*sum of age/)
  // Other analysts' purchases stay apart, and so do those that are counted in ρ.
  const apart = [
    step(2),
    step(4, { analyst: 'bob' }),
    ...[6, 8].map((n) => step(n, { cost: { epsilon: 1, delta: 1e-6, rho: 0.1 } })),
  ]
  expect(linesOf(historyText(apart, 80))).toHaveLength(2 + 4)
})

test('of one purchase everything is shown, with prices that add up', () => {
  const cost = { epsilon: 0.1, delta: 1e-6, rho: 0.0003 }
  const rho = several.map((each, i) => ({ ...each, rho: 0.0001 * (i + 1) }))
  const text = linesOf(purchaseText(entry({ cost, measurements: rho, statement: 'SELECT 1' }))).join('\n')
  expect(text).toMatch(/^row 2 · 2026-11-17 04:33:48\nSELECT 1\n/)
  expect(text).toMatch(/count, by age +10 +0.0001 .*\ncount, by sex +10 +0.0002 .*\ncost ε 0.1 \(ρ 0.0003\)$/)
})

test('a release of half a million tables is a line as well', () => {
  const measurements = Array.from({ length: 499_500 }, (_, i) => measurement('count', ['age'], 2 + (i % 3)))
  const [, , line] = linesOf(historyText([entry({ measurements })], 80))
  expect(line).toMatch(/2 … 4$/)
})
