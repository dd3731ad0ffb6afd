import { describe, expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { isAnswer } from '../../src/trusted/accounting/index.ts'
import { asking } from '../support/asking.ts'
import { promise } from '../support/metered.ts'

const average = 'SELECT AVG(age) FROM people'
const both = [
  ['ε', promise],
  ['ε and ρ', { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }],
] as const
/** In one of a hundred asks the interval comes out wider, by a few percent, and says so. */
const nearly = (within: number, { short }: { short?: true }) => (short ? 1.1 : 1) * within
const people = (n: number) => Array.from({ length: n }, (_, i) => ({ age: i % 5, member: i % 4 > 0 }))

describe.each(both)('within a half-width, in %s,', (_, privacy) => {
  test('an average is bought once, and asked again it is free', async () => {
    const { put, book } = await asking({ rows: people(5000), privacy })
    const first = await put(average, { within: 0.5 })
    expect(first).toMatchObject({ kind: 'fresh', confidence: 0.95, estimate: expect.closeTo(2, 0) })
    expect(first.within).toBeLessThanOrEqual(nearly(0.5, first))
    const spent = book.spent()
    const again = await put(average, { within: nearly(0.5, first) })
    expect(again).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
    expect(again.within).toBeLessThanOrEqual(nearly(0.5, first))
    expect(book.spent()).toEqual(spent)
    const sharper = await put(average, { within: 0.2 })
    expect(sharper.kind).toBe('fresh')
    expect(sharper.within).toBeLessThanOrEqual(nearly(0.2, sharper))
  })

  test('a share, of which the policy knows no bounds, is looked at first', async () => {
    const { put } = await asking({ rows: people(5000), privacy })
    const share = await put('SELECT 100.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) FROM people', { within: 10 })
    expect(share.kind).toBe('fresh')
    expect(share.within).toBeLessThanOrEqual(nearly(10, share))
    // 75%. The noise of a share within ±10 is beyond ±30 with probability 10^-6.
    expect(Math.abs(share.estimate - 75)).toBeLessThan(30)
  })

  test('several columns are each as precise as asked, and share what they have in common', async () => {
    const { put } = await asking({ rows: people(5000), privacy })
    const { kind, answers, parts, short } = await put(
      'SELECT AVG(age), AVG(age) FILTER (WHERE member), COUNT(*) / 1000.0 FROM people',
      { within: 0.5 },
    )
    expect(kind).toBe('fresh')
    expect(parts).toHaveLength(4)
    for (const { within } of answers) expect(within).toBeLessThanOrEqual(nearly(0.5, { short }))
  })

  test('where all groups are below the floor it is refused, and says what a look has cost', async () => {
    const { put, book } = await asking({ rows: people(3), privacy })
    const refused = { code: 'budget-exceeded', message: expect.stringContaining('too few records') }
    await expect(put(average, { within: 0.5, floor: 1000 })).rejects.toMatchObject(refused)
    expect(book.spent().epsilon).toBeGreaterThan(0)
  })

  test('groups below the floor need not be precise, the others are', async () => {
    const { put } = await asking({ rows: people(4000), privacy })
    const by = 'SELECT member, AVG(age) FROM people GROUP BY member'
    const how = { within: 1, floor: 300 }
    const { groups, cost, short } = await put(by, how)
    for (const { key, within } of groups)
      if (key.member !== null) expect(within).toBeLessThanOrEqual(nearly(1, { short }))
    expect(cost.epsilon).toBeGreaterThan(0)
    if (!short) expect(await put(by, how)).toMatchObject({ kind: 'free' })
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
  const { put, book } = await asking({ rows: people(5000) })
  await put('SELECT COUNT(*) FROM people', { within: 50 })
  const before = book.releases.length
  const answer = await put(average, { within: 0.5 })
  expect(answer.within).toBeLessThanOrEqual(nearly(0.5, answer))
  const bought = book.releases.slice(before).flatMap(({ charges }) => charges.filter(isAnswer))
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
  const { put } = await asking({ rows: people(40_000) })
  const { groups, short, notes } = await put('SELECT member, AVG(age) FROM people GROUP BY member', { within: 0.5 })
  for (const { key, within } of groups)
    if (key.member !== null) expect(within).toBeLessThanOrEqual(nearly(0.5, { short }))
  // Nobody is NULL.
  const nobody = groups.find((group: { key: { member: unknown } }) => group.key.member === null)
  expect(nobody.estimate === null || nobody.within > 0.5).toBe(true)
  expect(notes).toEqual([expect.stringContaining('--floor')])
})
