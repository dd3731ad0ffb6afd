import { expect, test } from 'vitest'
import { asking } from '../../../test/support/asking.ts'
import { promise } from '../../../test/support/metered.ts'
import { rational } from '../../numeric/index.ts'

test('no interval of a count goes below 0, and its half-width is as it was bought', async () => {
  const { put } = await asking({ rows: Array.from({ length: 5 }, () => ({ age: 1, member: true })) })
  for (const sql of [
    'SELECT COUNT(*) FROM people',
    'SELECT SUM(age) FROM people',
    'SELECT age, COUNT(*) FROM people GROUP BY age',
  ]) {
    const answer = await put(sql, { epsilon: 0.02 })
    for (const { interval, within } of answer.groups ?? [answer]) {
      expect(interval[0]).toBeGreaterThanOrEqual(0)
      expect(within).toBeGreaterThan(50)
    }
  }
  expect((await put(`SELECT -1 * COUNT(*) FROM people`, { epsilon: 0.02 })).interval[1]).toBeLessThanOrEqual(0)
})

test('a difference may be negative, and a public number of records is the most', async () => {
  const { put } = await asking({
    rows: Array.from({ length: 40 }, (_, i) => ({ age: i % 10, member: true })),
    privacy: { ...promise, neighbours: 'replace-one', epsilon: rational(10) },
  })
  await put('SELECT COUNT(*) FROM people', { epsilon: 0.1 })
  const { interval } = await put('SELECT COUNT(*) FROM people WHERE age < 9', { epsilon: 0.02 })
  expect(interval[0]).toBeGreaterThanOrEqual(0)
  expect(interval[1]).toBeLessThanOrEqual(40)
})

test('a sum of nothing but zeros is 0', async () => {
  const { put } = await asking({ rows: [{ age: 1, member: true }] })
  expect((await put('SELECT SUM(age * 0) FROM people', { epsilon: 0.02 })).interval).toEqual([0, 0])
})
