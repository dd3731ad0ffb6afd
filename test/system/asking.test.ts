import { describe, expect, test } from 'vitest'
import { asking } from '../support/asking.ts'

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
  await put(count, { epsilon: 0.2 })
  const both = await put(count, { free: true, explain: true })
  // Inverse variances: 0.1² to 0.2², nearly, as the noise is discrete.
  expect(both.madeOf).toMatchObject([
    { purchase: 4, weight: expect.closeTo(0.8, 2), share: expect.closeTo(0.8, 2) },
    { purchase: 2, weight: expect.closeTo(0.2, 2), share: expect.closeTo(0.2, 2) },
  ])
  expect((await put(count, { free: true })).madeOf).toBeUndefined()
})

test('rows picked by their noise have intervals that hold all at once', async () => {
  const { put } = await asking()
  const by = 'SELECT age, COUNT(*) FROM people GROUP BY age'
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

  test('is refused where it costs more than allowed, before a purchase', async () => {
    const { put, book } = await asking()
    await expect(put(count, { ...relative, maxEpsilon: 0.01 })).rejects.toMatchObject({ code: 'budget-exceeded' })
    await expect(put('SELECT AVG(age) FROM people', relative)).rejects.toMatchObject({ code: 'not-supported' })
    await expect(put('SELECT age, COUNT(*) FROM people GROUP BY age', relative)).rejects.toThrow('GROUP BY')
    expect(book.releases).toHaveLength(0)
  })
})
