import { expect, test } from 'vitest'
import { ages, metered, promise } from '../../../test/support/metered.ts'
import { fromNumber, parseRational, rational } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'

test('an analyst’s quota holds in ρ too, by the worst cell of what that analyst bought', async () => {
  const { buy, book } = await metered({ privacy: { ...promise, delta: parseRational('1e-6')!, composition: 'zcdp' } })
  const alice = { name: 'alice', cap: book.capOf(rational(1, 10)) }
  const share = rational(BigInt(alice.cap.rho!), 10n ** 12n)
  // σ² at which a count costs all of it: 1/2ρ.
  const all = { kind: 'gaussian', variance: rational(share.den, 2n * share.num) } as const
  await buy(ages(0, 4), all, alice)
  await buy(ages(5, 9), all, alice)
  expect(book.spent('alice').rho).toBe(alice.cap.rho)
  const little = { kind: 'gaussian', variance: rational(10n ** 9n) } as const
  await expect(buy(ages(9, 9), little, alice)).rejects.toThrow(
    expect.objectContaining({ code: 'budget-exceeded', facts: expect.objectContaining({ analyst: 'alice', left: 0 }) }),
  )
  await buy(countAll, all, { name: 'bob', cap: alice.cap })
  expect(book.spent().rho).toBe(2 * alice.cap.rho!)
})

test('of two caps that say no, the one with less left is named: its hint works', async () => {
  const { buy, book } = await metered()
  const alice = { name: 'alice', cap: book.capOf(rational(1, 2)) }
  const laplace = (epsilon: number) => ({ kind: 'laplace', scale: fromNumber(1 / epsilon) }) as const
  await buy(countAll, laplace(0.25), alice)
  const facts = { asked: 2, left: 0.25, cap: 0.5, analyst: 'alice' }
  await expect(buy(countAll, laplace(2), alice)).rejects.toMatchObject({
    facts,
    hint: expect.stringContaining('0.25 '),
  })
  await buy(countAll, laplace(0.25), alice)
  // Where the dataset has less, it is the dataset.
  await buy(countAll, laplace(0.25))
  const carol = { name: 'carol', cap: book.capOf(rational(1)) }
  await expect(buy(countAll, laplace(2), carol)).rejects.toMatchObject({ facts: { asked: 2, left: 0.25, cap: 1 } })
  await buy(countAll, laplace(0.25), carol)
})

test('a price beyond all that can be counted is no number', async () => {
  const { buy } = await metered()
  const heavy = { ...countAll, terms: [{ coefficient: 2 ** 40, factors: {} }] }
  const message = 'this costs far more than any budget, but only 1 is left of the budget of 1'
  await expect(buy(heavy, { kind: 'laplace', scale: rational(1) })).rejects.toThrow(message)
})
