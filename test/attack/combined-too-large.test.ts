import { expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { asking } from '../support/asking.ts'
import { promise } from '../support/metered.ts'

test('a table too large to be combined with the history is not bought to be: it is as precise as asked', async () => {
  const over = universe([
    attribute({ kind: 'integer', name: 'a', low: 0, high: 2999, closed: true }),
    attribute({ kind: 'boolean', name: 'c', closed: true }),
  ])
  const rows = Array.from({ length: 1000 }, (_, i) => ({ a: 3 * i, c: i % 2 === 0 }))
  const { put } = await asking({ over, rows, privacy: { ...promise, epsilon: rational(5) } })
  await put('SELECT a, c, COUNT(*) FROM people GROUP BY 1, 2', { within: 40 })
  const answer = await put('SELECT a, COUNT(*) FROM people WHERE c GROUP BY 1', { within: 35 })
  expect(answer.groups.every(({ within }: { within: number }) => within <= 35)).toBe(true)
})
