import { describe, expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { isAnswer } from '../../src/trusted/accounting/index.ts'
import { asking, usual } from '../support/asking.ts'
import { promise } from '../support/metered.ts'

const average = 'SELECT AVG(age) FROM people'
const both = [
  ['ε', promise],
  ['ε and ρ', { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }],
] as const
const people = (n: number) => Array.from({ length: n }, (_, i) => ({ age: i % 5, member: i % 4 > 0 }))
describe.each(both)('within a half-width, in %s,', (_, privacy) => {
  test('an average is bought once, and asked again it is free', async () => {
    const half = { within: 0.5 }
    const { put, book, answer: first } = await usual({ rows: people(5000), privacy }, (put) => put(average, half))
    expect(first).toMatchObject({ kind: 'fresh', confidence: 0.95 })
    expect(first.within).toBeLessThanOrEqual(0.5)
    const spent = book.spent()
    const again = await put(average, half)
    expect(again).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
    expect(again.within).toBeLessThanOrEqual(0.5)
    expect(book.spent()).toEqual(spent)
    // It may be narrower than asked: by this much more precise is never free.
    const within = 0.4 * first.within
    const sharper = await put(average, { within })
    expect(sharper.kind).toBe('fresh')
    expect(sharper.short === true).toBe(sharper.within > within)
    // Seven half-widths of 95%: Laplace noise is beyond them with probability 20^-7, below 10^-9.
    expect(Math.abs(sharper.estimate - 2)).toBeLessThan(7 * sharper.within)
  })

  test('a share, of which the policy knows no bounds, is looked at first', async () => {
    const { answer: share } = await usual({ rows: people(5000), privacy }, (put) =>
      put('SELECT 100.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) FROM people', { within: 4 }),
    )
    expect(share.kind).toBe('fresh')
    expect(share.within).toBeLessThanOrEqual(4)
    // 75%, and again seven half-widths.
    expect(Math.abs(share.estimate - 75)).toBeLessThan(28)
  })

  test('several columns are each as precise as asked, and share what they have in common', async () => {
    const sql = 'SELECT AVG(age), AVG(age) FILTER (WHERE member), COUNT(*) / 1000.0 FROM people'
    const { answer } = await usual({ rows: people(5000), privacy }, (put) => put(sql, { within: 0.5 }))
    expect(answer.kind).toBe('fresh')
    expect(answer.parts).toHaveLength(4)
    for (const { within } of answer.answers) expect(within).toBeLessThanOrEqual(0.5)
  })

  test('where all groups are below the floor it is refused, and says what a look has cost', async () => {
    const { book, answer: refused } = await usual(
      { rows: people(3), privacy },
      (put) => put(average, { within: 0.5, floor: 1000 }).catch((error) => error),
      (answer) => !(answer instanceof Error),
    )
    expect(refused).toMatchObject({ code: 'budget-exceeded', message: expect.stringContaining('too few records') })
    expect(book.spent().epsilon).toBeGreaterThan(0)
  })

  test('groups below the floor need not be precise, the others are', async () => {
    const by = 'SELECT member, AVG(age) FROM people GROUP BY member'
    const how = { within: 1, floor: 300 }
    const { put, answer } = await usual({ rows: people(4000), privacy }, (put) => put(by, how))
    for (const { key, within } of answer.groups) if (key.member !== null) expect(within).toBeLessThanOrEqual(1)
    expect(answer.cost.epsilon).toBeGreaterThan(0)
    expect(await put(by, how)).toMatchObject({ kind: 'free' })
  })
})

test('where the number of records is public, only the sum is bought', async () => {
  const { put, book } = await asking({ rows: people(500), privacy: { ...promise, neighbours: 'replace-one' } })
  const answer = await put(average, { within: 0.5 })
  expect(answer.within).toBeLessThanOrEqual(0.5)
  const priced = book.releases.flatMap(({ charges }) => charges).filter((c) => isAnswer(c) && c.law.kind !== 'none')
  expect(priced).toHaveLength(1)
})

test.each(both)(
  'in %s, what costs more than allowed is as precise as the price makes it, and says so',
  async (_, privacy) => {
    const { put } = await asking({ rows: people(500), privacy })
    const answer = await put(average, { within: 0.01, maxEpsilon: 0.1 })
    expect(answer).toMatchObject({ kind: 'fresh', short: true })
    expect(answer.within).toBeGreaterThan(0.01)
    expect(answer.cost.epsilon).toBeLessThanOrEqual(0.1)
    // Looks had a tenth at most, the rest is in the answer.
    expect(answer.cost.epsilon).toBeGreaterThan(0.08)
  },
)

test('what has no rule, or no ratio, is refused', async () => {
  const { put } = await asking({ rows: people(500) })
  await expect(put('SELECT VARIANCE(age) FROM people', { within: 1 })).rejects.toMatchObject({
    code: 'not-supported',
    hint: expect.stringContaining('--epsilon'),
  })
  await expect(put('SELECT COUNT(*) FROM people', { within: 50, floor: 5 })).rejects.toMatchObject({ code: 'usage' })
})

test('a count that earlier answers tell is not bought again', async () => {
  const { book, answer } = await usual({ rows: people(5000) }, async (put) => {
    await put('SELECT COUNT(*) FROM people', { within: 50 })
    return put(average, { within: 0.5 })
  })
  expect(answer.within).toBeLessThanOrEqual(0.5)
  // The first is the count.
  const bought = book.releases.slice(1).flatMap(({ charges }) => charges.filter(isAnswer))
  // The sum twice, a look and what it was refined to; no count.
  expect(bought.map(({ query }) => query.terms[0]!.factors.age?.kind)).toEqual(['value', 'value'])
  expect(answer.parts[1].epsilon).toBe(0)
})

test('a share lies between 0 and 1, and so does its interval', async () => {
  const { put } = await asking({ rows: people(40) })
  const { estimate, interval } = await put('SELECT 1.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) FROM people', {
    epsilon: 0.02,
  })
  expect([estimate, ...interval].every((x) => x >= 0 && x <= 1)).toBe(true)
})

test.each(both)('in %s, looks that lead to no answer take a tenth of the budget at most', async (_, privacy) => {
  const { put, book } = await asking({ rows: people(4000), privacy: { ...privacy, epsilon: rational(50) } })
  await put('SELECT member, COUNT(*) FROM people GROUP BY member', { epsilon: 0.01 })
  const before = book.spent()
  // Nobody is NULL: no price makes an average of these precise.
  const refused = await put('SELECT member, AVG(age) FROM people GROUP BY member', { within: 0.5, floor: 1 }).catch(
    (e) => e,
  )
  expect(refused).toMatchObject({ code: 'budget-exceeded' })
  expect(refused.facts.spent).toBeGreaterThan(0)
  const unit = book.cap.rho === null ? 'epsilon' : 'rho'
  expect(book.spent()[unit]! - before[unit]!).toBeLessThanOrEqual((book.cap[unit]! - before[unit]!) / 10)
})

test('where nobody says a floor, empty groups are left less precise, and the answer says so', async () => {
  const by = 'SELECT member, AVG(age) FROM people GROUP BY member'
  const { answer } = await usual({ rows: people(40_000) }, (put) => put(by, { within: 0.5 }))
  for (const { key, within } of answer.groups) if (key.member !== null) expect(within).toBeLessThanOrEqual(0.5)
  // Nobody is NULL.
  const nobody = answer.groups.find((group: { key: { member: unknown } }) => group.key.member === null)
  expect(nobody.estimate === null || nobody.within > 0.5).toBe(true)
  expect(answer.notes).toEqual([expect.stringContaining('--floor')])
})
