import { expect, test } from 'vitest'
import { attribute } from '../../schema/index.ts'
import { evaluateOnDomain } from './evaluate.ts'

const x = attribute({ kind: 'integer', name: 'x', low: -1, high: 2, closed: false })
const at = (sql: string, checks: string[] = []) => evaluateOnDomain({ sql, attributes: [x], checks })

test('an expression is computed at every code, NULL where it is missing or fails', async () => {
  const { values, places, failures } = await at('CASE WHEN a0.v = 0 THEN fail(a0.v) ELSE 6 // a0.v END')
  expect([...places].map((place) => values[place] ?? null)).toEqual(['-6', null, '6', '3', null])
  expect(failures).toBe(1)
})

test('a check that does not hold names the cell', async () => {
  expect(await at('a0.v', ['a0.v < 1'])).toMatchObject({ split: 2 })
})

test.each([
  "(SELECT count(*) FROM read_csv('/etc/passwd'))",
  "(SELECT count(*) FROM read_text('/etc/hostname'))",
  "getenv('HOME')",
])('the engine reaches nothing outside: %s', async (sql) => {
  await expect(at(sql)).rejects.toThrow()
})
