import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const s = new Serving()
beforeAll(async () => {
  await (await s.table('people')).start()
})
afterAll(() => s.stop())
const all = 'SELECT COUNT(*) FROM people'

test('of two who race for the last of the budget one gets it, the other is refused and pays nothing', async () => {
  const people = s.client().dataset('people')
  const sql = (age: number) => `SELECT COUNT(*) FROM people WHERE age >= ${age}`
  await people.ask({ sql: all, epsilon: 0.5 })
  const settled = await Promise.allSettled([20, 30].map((age) => people.ask({ sql: sql(age), epsilon: 0.4 })))
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { status: 402, code: 'budget-exceeded' } }])
  const { budget, steps } = await people.budget()
  expect(budget.spent.epsilon).toBeCloseTo(0.9, 9)
  expect(steps).toHaveLength(2)
  expect(await people.verifyLedger()).toMatchObject({ ok: true, sums: 'kept' })
})

test('what turns out to be free does not wait for a purchase that cannot go on', async () => {
  const people = s.client().dataset('people')
  const { within } = (await people.ask({ sql: all, free: true })) as { within: number }
  const ledger = new Sqlite(join(s.dir, 'people.ledger'))
  ledger.exec('BEGIN IMMEDIATE')
  let isBought = false
  const purchase = people.ask({ sql: `${all} WHERE age >= 50`, epsilon: 0.05 }).then((answer) => {
    isBought = true
    return answer
  })
  expect(await people.ask({ sql: all, within: 2 * within })).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  expect(isBought).toBe(false)
  ledger.exec('ROLLBACK')
  ledger.close()
  expect(await purchase).toMatchObject({ kind: 'fresh' })
})
