import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ages, metered, promise } from '../../../test/support/metered.ts'
import { fromNumber, parseRational, rational } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'
import { epsilonOfRho, fits, rhoCap, unitsToNumber } from '../accounting/index.ts'
import { runHold } from '../ledger/index.ts'
import { epsilonAt, leftOf, leftToHold } from './reserve.ts'

const never = Number.POSITIVE_INFINITY

describe.each(['1e-6', '1e-12', '0.01'])('at δ = %s', (text) => {
  const delta = parseRational(text)!
  const made = metered({ privacy: { ...promise, delta, composition: 'zcdp' } })

  test('what is left can be asked for, and is told to nine digits', async () => {
    const { book } = await made
    const cap = book.cap as { epsilon: number; rho: number }
    expect(leftOf({ epsilon: 0, rho: 0 }, cap, book)).toBe(1)
    // Plain ε that is left does not help: a question buys Gaussian noise.
    expect(leftOf({ epsilon: 1e11, rho: cap.rho }, cap, book)).toBe(0)
    expect(leftOf({ epsilon: never, rho: never }, cap, book)).toBe(0)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: cap.rho }), (spent) => {
        const rest = cap.rho - spent
        const left = leftOf({ epsilon: never, rho: spent }, cap, book)
        if (left > 0) expect(rhoCap(fromNumber(left), delta)).toBeLessThanOrEqual(rest)
        expect(epsilonOfRho(unitsToNumber(rest), delta) - left).toBeLessThan(1.001e-9)
      }),
      { numRuns: 40 },
    )
  })

  test('what a run may hold it may, and 10^-9 more is refused, whichever currency has it', async () => {
    const { book } = await made
    const { cap } = book
    const most = cap.rho!
    const units = fc.oneof(fc.integer({ min: 0, max: 1e12 }), fc.constant(never))
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: most + 1 }), (epsilon, rho) => {
        const left = leftToHold({ epsilon, rho }, cap)
        const isSold = (held: number) => {
          const hold = runHold(fromNumber(held))
          return fits({ epsilon: epsilon + hold.epsilon, rho: rho + hold.rho }, cap)
        }
        if (left > 0) expect(isSold(left)).toBe(true)
        expect(isSold(Number((left + 1e-9).toFixed(12)))).toBe(false)
      }),
      { numRuns: 200 },
    )
    // What is left of ρ holds √2ρ, once Gaussian noise was bought.
    expect(leftToHold({ epsilon: never, rho: 0 }, cap)).toBeCloseTo(Math.sqrt((2 * most) / 1e12), 8)
    expect(leftToHold({ epsilon: 4e11, rho: never }, cap)).toBe(0.6)
    expect(leftToHold({ epsilon: 4e11, rho: 0 }, { epsilon: 1e12, rho: null })).toBe(0.6)
  })

  test('a spending is shown as the better of its two currencies, never too small, to nine digits', async () => {
    const { book } = await made
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 0, max: 1e11 }), (epsilon, rho) => {
        const exact = Math.min(unitsToNumber(epsilon), epsilonOfRho(unitsToNumber(rho), delta))
        const shown = epsilonAt({ epsilon, rho }, book)
        expect(shown).toBeGreaterThanOrEqual(exact)
        expect(shown - exact).toBeLessThan(1.001e-9)
      }),
      { numRuns: 200 },
    )
    expect(epsilonAt({ epsilon: never, rho: rhoCap(fromNumber(0.1), delta) }, book)).toBe(0.1)
    expect(epsilonAt({ epsilon: never, rho: never }, book)).toBe(never)
  })
})

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
