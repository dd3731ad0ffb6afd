import { describe, expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { asking } from '../support/asking.ts'
import { promise } from '../support/metered.ts'

const count = 'SELECT COUNT(*) FROM people'

test('a probability goes with every kind of answer, and is refused before a purchase where there is none', async () => {
  const { put, book } = await asking()
  // The table has 500 rows, 250 of them members. Noise of scale 10 beyond ±160 would be needed for a false alarm: 10^-7.
  const probability = { operator: '>', value: 100 } as const
  expect(await put(count, { epsilon: 0.1, probability })).toMatchObject({
    kind: 'fresh',
    probability: expect.closeTo(1, 6),
  })
  expect(await put(count, { free: true, probability })).toMatchObject({
    kind: 'free',
    probability: expect.closeTo(1, 6),
  })
  const refined = await put(`SELECT -COUNT(*) FROM people`, { within: 12, probability })
  expect(refined).toMatchObject({ kind: 'refined', probability: expect.closeTo(0, 6) })
  const groups = await put('SELECT member, COUNT(*) FROM people GROUP BY member', {
    epsilon: 0.1,
    probability: { operator: '>', value: 450 },
  })
  expect(groups.groups).toHaveLength(3)
  for (const group of groups.groups) expect(group.probability).toBeLessThan(0.01)
  // The count itself and the groups' are four answers about three numbers.
  expect(await put(count, { free: true, probability })).toMatchObject({
    probability: expect.closeTo(1, 6),
    probabilityGiven: 'answers',
  })
  const spent = book.spent()
  await expect(put('SELECT AVG(age) FROM people', { epsilon: 0.1, probability })).rejects.toThrow('no probability')
  expect(book.spent()).toEqual(spent)
})

test('an explanation names the measurements and what they weigh', async () => {
  const { put } = await asking()
  const fresh = await put(count, { epsilon: 0.1, explain: true })
  expect(fresh.madeOf).toEqual([
    { part: fresh.parts[0].description, measurement: fresh.parts[0].description, purchase: 2, weight: 1, share: 1 },
  ])
  // Everybody has an age, so this is the same question in other words, which refinement does not see.
  await put('SELECT SUM(age) FROM people', { epsilon: 0.1 })
  const other = 'SELECT COUNT(*) FROM people WHERE age < 5 OR age >= 5'
  await put('SELECT member, COUNT(*) FROM people GROUP BY member', { epsilon: 0.2 })
  const both = await put(other, { free: true, explain: true })
  // Inverse variances: 0.1² to 0.2² / 3, nearly, as the noise is discrete.
  expect(both.madeOf).toMatchObject([
    { purchase: 6, weight: expect.closeTo(3 * (4 / 7), 1), share: expect.closeTo(4 / 7, 2) },
    { purchase: 2, weight: expect.closeTo(3 / 7, 2), share: expect.closeTo(3 / 7, 2) },
  ])
  expect((await put(count, { free: true })).madeOf).toBeUndefined()
})

test('rows picked by their noise have intervals that hold all at once', async () => {
  const by = 'SELECT age, COUNT(*) FROM people GROUP BY age'
  const put = async (sql: string, how: Parameters<Awaited<ReturnType<typeof asking>>['put']>[1]) =>
    (await asking()).put(sql, how)
  const each = await put(by, { epsilon: 0.1 })
  const all = await put(by, { epsilon: 0.1, allWithin: true })
  expect(each.simultaneous).toBeUndefined()
  expect(all).toMatchObject({ simultaneous: true, confidence: 0.95 })
  // ln(20) and ln(200) tenths of scales, to the step.
  expect(each.groups[0].within).toBe(30)
  expect(all.groups[0].within).toBe(53)
  for (const picked of ['ORDER BY COUNT(*) LIMIT 2', 'HAVING COUNT(*) > 40', 'ORDER BY 2 DESC OFFSET 3']) {
    const top = await put(`${by} ${picked}`, { epsilon: 0.1 })
    expect(top.simultaneous).toBe(true)
    if (top.groups.length > 0) expect(top.groups[0].within).toBe(53)
  }
  const byKey = await put(`${by} ORDER BY age LIMIT 2`, { epsilon: 0.1 })
  expect(byKey.simultaneous).toBeUndefined()
  const within = await put(`${by} ORDER BY 2 LIMIT 1`, { within: 53 })
  expect(within).toMatchObject({ simultaneous: true, groups: [{ within: expect.toSatisfy((w: number) => w <= 53) }] })
})

test('an average is as sure from the history as when it was bought', async () => {
  const { put } = await asking()
  const average = 'SELECT AVG(age) FROM people'
  const bought = await put(average, { epsilon: 0.5 })
  const free = await put(average, { free: true })
  expect(free.estimate).toBeCloseTo(bought.estimate, 9)
  // Both are blurred by up to a 100th of a standard deviation.
  const [width, again] = [bought, free].map(({ interval: [low, high] }) => high - low)
  expect(again! / width!).toBeGreaterThan(0.99)
  expect(again! / width!).toBeLessThan(1.01)
})

test('intervals that hold always say what they cost in width, and later ones cost more', async () => {
  const { put } = await asking()
  const always = true
  const one = await put(count, { epsilon: 0.05, always })
  expect(one).toMatchObject({ always: true, simultaneous: true })
  // Noise of scale 20: at most 5% of it lie beyond ±60, half as many beyond ±74.
  expect([one.withinAlone, one.within]).toEqual([60, 74])
  const groups = await put('SELECT member, COUNT(*) FROM people GROUP BY member', { epsilon: 0.05, always })
  for (const group of groups.groups) expect(group.within).toBeGreaterThan(2 * group.withinAlone)
  const average = await put('SELECT AVG(age) FROM people', { epsilon: 0.1, always })
  expect(average.within).toBeGreaterThan(average.withinAlone)
  expect((await put(count, { free: true })).withinAlone).toBeUndefined()
})

describe('what a price buys', () => {
  const by = 'SELECT member, COUNT(*) FROM people GROUP BY member'
  const zcdp = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }

  test('is added to what was bought before: an earlier answer is refined for the same price', async () => {
    const { put, book } = await asking()
    const first = await put(count, { epsilon: 0.1 })
    expect(first.kind).toBe('fresh')
    const again = await put(count, { epsilon: 0.1 })
    // As if it had been bought at 0.2 at once: ln(20) / 0.2, to the step.
    expect(again).toMatchObject({ kind: 'refined', cost: { epsilon: 0.1 }, within: 15 })
    expect(book.spent().epsilon).toBe(0.2e12)
    const average = 'SELECT AVG(age) FROM people'
    const [wide, narrow] = [await put(average, { epsilon: 0.2 }), await put(average, { epsilon: 0.2 })]
    expect(narrow.kind).toBe('refined')
    expect(narrow.cost.epsilon).toBe(0.2)
    expect(narrow.within).toBeLessThan(0.7 * wide.within)
  })

  test.each([
    ['ε', promise],
    ['ε and ρ', zcdp],
  ])('is combined with what the history tells, in %s, and never wider than by itself', async (_, privacy) => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ age: i % 2, member: true }))
    const { put } = await asking({ privacy, rows })
    const alone = await (await asking({ privacy, rows })).put(count, { epsilon: 0.1 })
    await put(by, { epsilon: 0.15 })
    const both = await put(count, { epsilon: 0.1 })
    expect(both).toMatchObject({ kind: 'combined', cost: alone.cost })
    expect(both.within).toBeLessThan(0.95 * alone.within)
    const average = 'SELECT AVG(age) FROM people'
    const one = await (await asking({ privacy, rows })).put(average, { epsilon: 0.2 })
    const more = await put(average, { epsilon: 0.2 })
    expect(['combined', 'refined']).toContain(more.kind)
    // Intervals get wider with the number of records that is told, which is off by 0.3%.
    expect(more.within).toBeLessThan(0.97 * one.within)
    // Of what it does not know the history makes nothing wider.
    const sum = 'SELECT SUM(age) FROM people WHERE member'
    const [plain, known] = [
      await (await asking({ privacy })).put(sum, { epsilon: 0.1 }),
      await put(sum, { epsilon: 0.1 }),
    ]
    expect(known.within).toBeLessThanOrEqual(plain.within)
  })

  test('of what is public is nothing, and it is asked once', async () => {
    const { put, book } = await asking({ privacy: { ...promise, neighbours: 'replace-one' } })
    expect(await put(count, { epsilon: 0.1 })).toMatchObject({
      kind: 'free',
      cost: { epsilon: 0 },
      within: 0,
      estimate: 500,
    })
    expect(await put(count, { epsilon: 0.1 })).toMatchObject({ kind: 'free', estimate: 500 })
    expect(book.releases).toHaveLength(1)
  })
})

describe('a relative precision', () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ age: i % 10, member: true }))
  const relative = { relative: 0.1, floor: 50 }

  test('is paid for by the size of the number: once if it is large, twice if not, and then it is free', async () => {
    const [large, middle, none] = await Promise.all([many, many.slice(0, 300), []].map((rows) => asking({ rows })))
    // The first noise has scale 12: it would have to be off by 190 for any of this to come out differently, 10^-7.
    const once = await large!.put(count, relative)
    expect(once).toMatchObject({ kind: 'fresh', confidence: 0.95, within: 50 })
    const twice = await middle!.put(count, relative)
    expect(twice.cost.epsilon).toBeGreaterThan(2 * once.cost.epsilon)
    const least = await none!.put(count, relative)
    expect(least).toMatchObject({ kind: 'fresh', within: 5 })
    expect(least.cost.epsilon).toBeGreaterThan(twice.cost.epsilon)
    expect([large, middle, none].map((at) => at!.book.releases.length)).toEqual([1, 2, 2])
    for (const at of [large, none])
      expect(await at!.put(count, relative)).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  })

  test('is right as often as it says', async () => {
    const runs = 300
    let right = 0
    for (let i = 0; i < runs; i++) {
      const { put } = await asking()
      const { estimate, interval } = await put(count, { ...relative, confidence: 0.6 })
      if (Math.abs(estimate - 500) <= 50 && interval[0] <= 500 && interval[1] >= 500) right++
    }
    // 4.89 standard deviations of a share: one false alarm in 2·10^6 runs.
    expect(right / runs).toBeGreaterThan(0.6 - 4.89 * Math.sqrt((0.6 * 0.4) / runs))
  })

  test('is as near as a price allows that is less than it costs, and says so', async () => {
    const { put } = await asking()
    const answer = await put(count, { ...relative, maxEpsilon: 0.01 })
    expect(answer).toMatchObject({ short: true })
    expect(answer.cost.epsilon).toBeLessThanOrEqual(0.01)
  })

  test('works for one number alone', async () => {
    const { put, book } = await asking()
    await expect(put('SELECT AVG(age) FROM people', relative)).rejects.toMatchObject({ code: 'not-supported' })
    await expect(put('SELECT age, COUNT(*) FROM people GROUP BY age', relative)).rejects.toThrow('GROUP BY')
    expect(book.releases).toHaveLength(0)
  })
})
