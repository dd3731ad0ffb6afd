import { expect, test } from 'vitest'
import { guardsFor } from '../../src/answer/guard/guard.ts'
import { seededBits } from '../../src/evaluation/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { marginal, type NoiseLaw, parseSql } from '../../src/query/index.ts'
import { attribute, type Policy, universe } from '../../src/schema/index.ts'
import type { Approve } from '../../src/trusted/meter/index.ts'
import { metered, promise } from '../support/metered.ts'

const over = universe([
  attribute({ kind: 'integer', name: 'age', low: 17, high: 90, closed: false }),
  attribute({ kind: 'values', name: 'state', values: ['SP', 'RJ', 'GU', 'MG'], other: true, closed: false }),
  attribute({ kind: 'values', name: 'sex', values: ['F', 'M'], other: false, closed: false }),
  attribute({ kind: 'integer', name: 'income', low: 0, high: 99, closed: false }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1900-01-01',
    to: '2026-12-31',
    by: 'year',
    format: 'YYYY',
    closed: false,
  }),
])
const all = 'SELECT COUNT(*) FROM people'
const guarded = `${all} WHERE state = 'GU' AND age > 89`
const privacy = { ...promise, epsilon: rational(10_000) }
const laplace = (b: number): NoiseLaw => ({ kind: 'laplace', scale: rational(Math.round(b * 100), 100) })
const nobody = { analyst: null, statement: null }

/** A meter that keeps one guard; `asks` buys each part of a statement at this scale, and says whether it was sold. */
async function guardedMeter(guard: { query?: string; within?: number; confidence?: number } = {}) {
  const bits = seededBits(11)
  let approve: Approve = () => {}
  const made = await metered({ privacy, over, rows: [], approve: (charges, run) => approve(charges, run) })
  const { query = guarded, within = 3, confidence = 0.9 } = guard
  const guards = [{ query, within: rational(within), confidence: rational(Math.round(confidence * 100), 100) }]
  const policy = { dataset: 'people', universe: over, guards, privacy } as unknown as Policy
  approve = await guardsFor(policy, made.book, () => bits.uint32() / 2 ** 32)
  const sold = (bought: Promise<unknown>) =>
    bought.then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: 'guarded' })
        return false
      },
    )
  const asks = async (sql: string, b: number) => {
    const { parts } = await parseSql(sql, { dataset: 'people', universe: over })
    return sold(made.meter.measure({ charges: parts.map((part) => ({ query: part, law: laplace(b) })), ...nobody }))
  }
  const tables = (names: readonly string[], b: number) => sold(made.buy(marginal(names), laplace(b)))
  return { ...made, asks, tables }
}

test.each([
  ['a value that nobody is without', `${guarded} AND income IS NOT NULL`],
  ['all of them', `${guarded} AND income IS NOT NULL AND sex IS NOT NULL AND born IS NOT NULL`],
  ['an age that is excluded already', `${guarded} AND age <> 30`],
  ['a year that has not come', `${guarded} AND born < DATE '2027-01-01'`],
  ['an income that hardly anybody has', `${guarded} AND (income <> 57 OR income IS NULL)`],
  ['all incomes but the least', `${guarded} AND income > 0`],
])('a condition that changes next to nothing: %s', async (_, sql) => {
  expect(await (await guardedMeter()).asks(sql, 0.5)).toBe(false)
  // With as much noise as the guard wants it is sold.
  expect(await (await guardedMeter()).asks(sql, 5)).toBe(true)
})

test('weights that are nearly one', async () => {
  const sum = `SELECT SUM(CASE WHEN sex = 'F' THEN 1001 ELSE 1000 END)/1000 FROM people WHERE state = 'GU' AND age > 89`
  // One record counts up to 1001 steps.
  expect(await (await guardedMeter()).asks(sum, 500)).toBe(false)
  expect(await (await guardedMeter()).asks(sum, 5000)).toBe(true)
})

test('in parts, each of them harmless', async () => {
  const { asks } = await guardedMeter()
  expect(await asks(`${guarded} AND income IS NOT NULL AND sex = 'F'`, 0.5)).toBe(true)
  expect(await asks(`${guarded} AND income IS NOT NULL AND sex = 'M'`, 0.5)).toBe(false)
  const quarters = await guardedMeter()
  const verdicts = []
  for (const part of ['< 25', 'BETWEEN 25 AND 49', 'BETWEEN 50 AND 74', '>= 75'])
    verdicts.push(await quarters.asks(`${guarded} AND income ${part}`, 0.5))
  expect(verdicts).toEqual([true, true, true, false])
})

test('as the difference of two large groups, where nobody is known to have no age', async () => {
  const { asks } = await guardedMeter()
  expect(await asks(`${all} WHERE state = 'GU'`, 0.5)).toBe(true)
  expect(await asks(`${all} WHERE state = 'GU' AND age <= 89`, 0.5)).toBe(false)
})

test('as half of a sum, the other half of which is known', async () => {
  const { asks } = await guardedMeter()
  expect(await asks(`${all} WHERE state = 'GU' AND age >= 89`, 0.5)).toBe(true)
  expect(await asks(`${all} WHERE state = 'GU' AND age = 89 AND income IS NOT NULL`, 0.5)).toBe(false)
})

test('in tables that hold it, sharp or by and by', async () => {
  const { tables, meter } = await guardedMeter()
  expect(await tables(['age', 'state'], 0.5)).toBe(false)
  expect(await tables(['age', 'state', 'sex'], 0.5)).toBe(false)
  const grid = { first: rational(50), step: rational(1), count: 50 }
  const run = await meter.openRun({
    queries: [marginal(['age', 'state', 'sex'])],
    grid,
    epsilon: rational(1),
    ...nobody,
  })
  const lowest = () => {
    for (let level = 1; level < 50; level++)
      try {
        run.lower(0, level)
      } catch (error) {
        expect(error).toMatchObject({ code: 'guarded' })
        return 50 - (level - 1)
      }
    return 1
  }
  const scale = lowest()
  expect(scale).toBeGreaterThan(1.5)
  expect(scale).toBeLessThan(8)
  await run.close()
})

test.each([1e12, 1e15, 1e18, 1e30])('noise of %d first, which drowns the digits of all others', async (scale) => {
  const { asks, ledger } = await guardedMeter()
  // What is beyond 10^15 is not for sale any more, but a ledger may have it.
  const law: NoiseLaw = { kind: 'laplace', scale: rational(BigInt(scale)) }
  const purchases = [{ query: marginal(['state', 'age']), law }]
  await ledger.append({ kind: 'reserve', ...nobody, purchases })
  await asks(`${all} WHERE age > 60`, 2)
  expect(await asks(guarded, 0.5)).toBe(false)
  expect(await asks(`${guarded} AND income IS NOT NULL`, 0.5)).toBe(false)
})

test('others are sold as ever', async () => {
  const { asks, tables } = await guardedMeter()
  const innocent = [
    all,
    `${all} WHERE state = 'GU'`,
    `${all} WHERE age > 60`,
    `${all} WHERE age > 89`,
    `${all} WHERE state = 'SP' AND age > 89`,
    `${all} WHERE state = 'GU' AND age > 85`,
    'SELECT SUM(income) FROM people WHERE sex IS NOT NULL',
    'SELECT sex, COUNT(*) FROM people WHERE age < 40 GROUP BY sex',
    `${guarded} AND sex = 'F'`,
  ]
  for (const sql of innocent) expect([sql, await asks(sql, 1)]).toEqual([sql, true])
  for (const names of [['age', 'sex'], ['state', 'sex'], ['state'], ['income', 'born']])
    expect([names, await tables(names, 1)]).toEqual([names, true])
  expect(await asks(guarded, 20)).toBe(true)
})

test('a guard of little confidence does not refuse what tells nothing', async () => {
  for (const confidence of [0.05, 0.2, 0.4, 0.99]) {
    const { asks, tables } = await guardedMeter({ confidence })
    expect(await asks(`${all} WHERE state = 'SP'`, 1)).toBe(true)
    expect(await tables(['sex'], 1)).toBe(true)
    expect(await asks(`${guarded} AND income IS NOT NULL`, 0.2)).toBe(false)
  }
})
