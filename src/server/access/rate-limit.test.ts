import { expect, test } from 'vitest'
import { RateLimit } from './rate-limit.ts'

test('twice as many at once as a second, then as many as a second, for each key by itself', () => {
  let now = 0
  const limit = new RateLimit(5, () => now)
  const passed = (key: string, times: number) =>
    Array.from({ length: times }, () => !limit.isExceeded(key)).filter(Boolean)
  expect(passed('a', 30)).toHaveLength(10)
  expect(passed('b', 3)).toHaveLength(3)
  now = 1000
  expect(passed('a', 30)).toHaveLength(5)
  now = 60_000
  expect(passed('a', 30)).toHaveLength(10)
})

test('0 is no limit', () => {
  const limit = new RateLimit(0)
  expect(Array.from({ length: 1000 }, () => limit.isExceeded('a'))).not.toContain(true)
})
