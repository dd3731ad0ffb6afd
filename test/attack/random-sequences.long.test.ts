import { expect, test } from 'vitest'
import { playAll } from './sequence.ts'

// Others: FIRST=5001 COUNT=5000 npm run test:long random-sequences
const [first, count] = [Number(process.env.FIRST ?? 1), Number(process.env.COUNT ?? 200)]

test(`${count} sequences of swaps, restored ledgers, owner's commands and questions keep cap and data`, async () => {
  const { faults, given, refused } = await playAll(count, { first, steps: 24 })
  process.stderr.write(`${given} answers, refused: ${JSON.stringify(Object.fromEntries(refused))}\n`)
  expect(faults).toEqual([])
  // Something was at stake: answers were given, and every way of cheating was tried and noticed.
  expect(given).toBeGreaterThan(3 * count)
  for (const code of ['source-changed', 'ledger-rolled-back', 'policy-changed', 'budget-exceeded'])
    expect(refused.get(code), code).toBeGreaterThan(count / 50)
})

// Two of 24 such sequences sold more than the cap: that none of 150 does has a chance of 10^-6.
test('the model notices an owner who makes Reticent forget', async () => {
  const { faults } = await playAll(150, { steps: 30, forgetsHead: true })
  expect(faults.length).toBeGreaterThan(0)
})
