import { expect, test } from 'vitest'
import { asking } from '../../test/support/asking.ts'
import { attribute, universe } from '../schema/index.ts'

test('a table of a hundred thousand groups is free from marginals; where it takes too long, the answer says so', async () => {
  const sizes = { a: 316, b: 316, c: 4 }
  const over = universe(
    Object.entries(sizes).map(([name, n]) => attribute({ kind: 'integer', name, low: 0, high: n - 1, closed: true })),
  )
  const { put } = await asking({ over, rows: [{ a: 1, b: 2, c: 3 }] })
  const by = 'SELECT a, b, COUNT(*) FROM people GROUP BY a, b'
  const bought = await put(by, { epsilon: 0.1 })
  expect(bought.notConsulted).toBeUndefined()
  const free = await put(by, { free: true })
  expect(free.groups).toHaveLength(316 ** 2)
  expect(free.groups[77].estimate).toBeCloseTo(bought.groups[77].estimate, 6)
  expect((await put(by, { within: 31 })).kind).toBe('free')
  // With other answers every group is a question of its own; whole tables still tell what they tell by themselves.
  await put('SELECT a, COUNT(*) FROM people WHERE c < 2 GROUP BY a', { epsilon: 0.05 })
  const again = await put(by, { epsilon: 0.1 })
  expect(again).toMatchObject({ kind: 'refined', notConsulted: true })
  expect((await put(by, { free: true })).groups[77].estimate).toBeCloseTo(again.groups[77].estimate, 6)
  // What they do not tell would have to be combined.
  const sum = 'SELECT a, b, SUM(c) FROM people GROUP BY a, b'
  await expect(put(sum, { free: true })).rejects.toMatchObject({ code: 'not-estimable', facts: { limit: 5_000_000 } })
  expect(await put(sum, { epsilon: 0.1 })).toMatchObject({ kind: 'fresh', notConsulted: true })
})
