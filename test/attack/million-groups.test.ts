import { expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { universe } from '../../src/schema/index.ts'
import { asking } from '../support/asking.ts'
import { integers } from '../support/estimates.ts'
import { promise } from '../support/metered.ts'

const over = universe([integers('a', 1024), integers('b', 1024)])
const table = (columns: string, where = '') => `SELECT a, b, ${columns} FROM people ${where} GROUP BY a, b`

test('more groups than are handed out at once are refused before anything is spent', async () => {
  const { put, book } = await asking({ over, rows: [], privacy: { ...promise, epsilon: rational(10) } })
  for (const how of [{ epsilon: 0.1 }, { within: 100 }, { free: true }, { relative: 0.1, floor: 100 }] as const)
    await expect(put(table('COUNT(*)'), how)).rejects.toMatchObject({
      code: 'query-invalid',
      facts: { groups: 2 ** 20, most: 2 ** 18 },
    })
  // Of several numbers in a group there are fewer.
  await expect(put(table('COUNT(*), SUM(a)', 'WHERE a < 256'), { epsilon: 0.1 })).rejects.toMatchObject({
    facts: { groups: 2 ** 18, most: 2 ** 17 },
  })
  expect(book.spent().epsilon).toBe(0)
  const { groups } = await put(table('COUNT(*)', 'WHERE a < 8'), { epsilon: 0.1 })
  expect(groups).toHaveLength(2 ** 13)
})
