import { expect, test } from 'vitest'
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
