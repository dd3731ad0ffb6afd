import { afterAll, expect, test } from 'vitest'
import { Serving } from '../support/serving.ts'

const [one, another] = [new Serving(), new Serving()]
afterAll(() => Promise.all([one.stop(), another.stop()]))

test('64 paying clients at once, of two servers with one ledger, never overspend', async () => {
  await one.table('people', (policy) =>
    policy.replace('epsilon: 1.0', 'epsilon: 1.0\n  analysts: { alice: 0.6, bob: 0.3, carol: 0.4, dave: 0.5 }'),
  )
  another.policies.push(...one.policies)
  const names = ['alice', 'bob', 'carol', 'dave']
  const tokens = await Promise.all(names.map((name) => one.token('analyst', name)))
  await Promise.all([one.start(), another.start()])
  const asks = Array.from({ length: 64 }, (_, i) => {
    const client = (i % 2 === 0 ? one : another).client(tokens[i % 4]).dataset('people')
    // All of these are about everybody, so that their prices add up.
    return client.ask({ sql: `SELECT COUNT(*) FROM people WHERE age >= 0 AND age < ${91 + i}`, epsilon: 0.05 })
  })
  const settled = await Promise.allSettled(asks)
  const paid = settled.filter(({ status }) => status === 'fulfilled')
  for (const refused of settled)
    if (refused.status === 'rejected') expect(refused.reason).toMatchObject({ code: 'budget-exceeded', status: 402 })
  // 1.0 in all: twenty times 0.05, and not one more.
  expect(paid).toHaveLength(20)
  const owner = await one.token('owner')
  const { budget } = await one.client(owner).dataset('people').budget()
  expect(budget.spent.epsilon).toBeLessThanOrEqual(1)
  for (const { spent, cap } of budget.analysts) expect(spent.epsilon).toBeLessThanOrEqual(cap.epsilon)
  expect(await one.client(owner).dataset('people').verifyLedger()).toMatchObject({ ok: true, sums: 'kept' })
})
