import { expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import type { LinearQuery } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { asking } from '../support/asking.ts'
import { code, count, found, historyOf, integers, measured } from '../support/estimates.ts'
import { promise } from '../support/metered.ts'

const over = universe([integers('a', 400), integers('b', 400), attribute({ kind: 'boolean', name: 'c', closed: true })])

test('a table of 160,000 groups is bought, and the ledger goes on answering', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ a: i % 400, b: (7 * i) % 400, c: i % 2 === 0 }))
  const { put } = await asking({ over, rows, privacy: { ...promise, epsilon: rational(10) } })
  const bought = await put('SELECT a, b, COUNT(*) FROM people WHERE c GROUP BY a, b', { epsilon: 0.1 })
  expect(bought.groups).toHaveLength(160_000)
  expect(bought.kind).toBe('fresh')
  // One of its groups is free, and what it does not tell is for sale.
  const own = await put('SELECT COUNT(*) FROM people WHERE c AND a = 3 AND b = 399', { free: true })
  expect(own).toMatchObject({ kind: 'free', estimate: bought.groups[3 * 400 + 399].estimate })
  expect(await put('SELECT COUNT(*) FROM people', { free: true })).toBeUndefined()
  const next = await put('SELECT COUNT(*) FROM people WHERE a < 10', { within: 60 })
  expect(next.kind).toBe('fresh')
})

const grouped: LinearQuery = { ...count({ c: code(1) }), by: [{ attribute: 'a' }, { attribute: 'b' }] }
const values = Array.from({ length: 160_000 }, (_, cell) => cell)

test('of a table beyond the cap groups tell what they add up to, and are refined', () => {
  const history = historyOf(over, [measured('1.0', grouped, values)])
  const asked = (a: number, b: number) => history.estimate(count({ a: code(a), b: code(b), c: code(1) }))
  for (const [a, b] of [
    [0, 0],
    [3, 399],
    [399, 7],
  ] as const)
    expect(found(asked(a, b))).toMatchObject({ estimate: 400 * a + b, leftOut: 159_999 })
  const sum = (400 * (1200 + 1599)) / 2
  expect(found(history.estimate(count({ a: code(3), c: code(1) })))).toMatchObject({ estimate: sum, leftOut: 159_600 })
  expect(history.estimate(count({ a: code(3), b: code(4) })).estimable).toBe(false)
  const finer = { kind: 'laplace', scale: rational(1) } as const
  const refined = measured(
    '2.0',
    grouped,
    values.map((value) => value + 1),
    finer,
  )
  history.append(refined, { replaces: '1.0' })
  expect(found(asked(3, 399))).toMatchObject({ estimate: 1600, leftOut: 159_999 })
})
