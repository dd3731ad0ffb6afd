import { afterAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const s = new Serving()
afterAll(() => s.stop())

test('of two who race for the last of the budget one gets it, the other is refused and pays nothing', async () => {
  await (await s.table('people')).start()
  const people = s.client().dataset('people')
  const sql = (age: number) => `SELECT COUNT(*) FROM people WHERE age >= ${age}`
  await people.ask({ sql: 'SELECT COUNT(*) FROM people', epsilon: 0.5 })
  const settled = await Promise.allSettled([20, 30].map((age) => people.ask({ sql: sql(age), epsilon: 0.4 })))
  const refused = settled.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { status: 402, code: 'budget-exceeded' } }])
  const { budget, steps } = await people.budget()
  expect(budget.spent.epsilon).toBeCloseTo(0.9, 9)
  expect(steps).toHaveLength(2)
  expect(await people.verifyLedger()).toMatchObject({ ok: true, sums: 'kept' })
})
