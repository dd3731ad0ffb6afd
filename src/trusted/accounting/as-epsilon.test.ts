import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromNumber, one, parseRational, rational } from '../../numeric/index.ts'
import { epsilonAt, leftOf, leftToHold } from './as-epsilon.ts'
import { runHold } from './hold.ts'
import { fits } from './spending.ts'
import { unitsToNumber } from './units.ts'
import { epsilonOfRho, rhoCap } from './zcdp.ts'

const never = Number.POSITIVE_INFINITY

describe.each(['1e-6', '1e-12', '0.01'])('at δ = %s', (text) => {
  const delta = parseRational(text)!
  const book = { cap: { epsilon: 1e12, rho: rhoCap(one, delta) }, terms: { delta } }

  test('what is left can be asked for, and is told to nine digits', () => {
    const { cap } = book
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

  test('what a run may hold it may, and 10^-9 more is refused, whichever currency has it', () => {
    const { cap } = book
    const most = cap.rho
    const units = fc.oneof(fc.integer({ min: 0, max: 1e12 }), fc.constant(never))
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: most + 1 }), (epsilon, rho) => {
        const left = leftToHold({ epsilon, rho }, cap)
        const isSold = (held: number) => {
          const hold = runHold({ epsilon: fromNumber(held) })
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

  test('a spending is shown as the better of its two currencies, never too small, to nine digits', () => {
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

test('a run that holds ε holds the ρ of the ε that it may go to, which is rounded up', () => {
  const { epsilon, rho } = runHold({ epsilon: rational(100n * 10n ** 12n + 1n, 10n ** 13n) }) // 10.0000000000001
  expect([epsilon, rho]).toEqual([10 * 1e12 + 1, 50 * 1e12 + 11])
  expect(runHold({ epsilon: rational(10n ** 9n) })).toEqual({ epsilon: never, rho: never })
})

test('a run that holds ρ has no ε that covers it', () => {
  expect(runHold({ rho: rational(1, 3) })).toEqual({ epsilon: never, rho: 333_333_333_334 })
})
