import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromNumber, one, parseRational, type Rational, rational, zero } from '../../numeric/index.ts'
import { unitsToNumber } from './units.ts'
import { epsilonOfRho, rhoCap } from './zcdp.ts'

const exponent = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map((e) => 10 ** e)
const rhos = exponent(-9, 2)
const deltas = exponent(-15, Math.log10(0.5))
const read = (text: string): Rational => parseRational(text)!

/** The slow twin: the formula as printed, solved for ε at every α of a fine grid; the best of them. */
function onGrid(rho: number, delta: number): { epsilon: number; beta: number } {
  let best = { epsilon: Number.POSITIVE_INFINITY, beta: 1 }
  for (let i = 0; i <= points; i++) {
    const beta = 10 ** (-4 + (12 * i) / points)
    const alpha = 1 + beta
    const epsilon = alpha * rho + (-Math.log(delta) - Math.log(beta) + alpha * Math.log(beta / alpha)) / beta
    if (epsilon < best.epsilon) best = { epsilon, beta }
  }
  return best
}
const points = 6000
/** Half a step of the grid, as a fraction of β. */
const halfStep = (12 * Math.LN10) / points / 2

/**
 * The least δ of Gaussian noise itself at this ρ and ε: its loss is N(ρ, 2ρ), and δ is the mean of (1 - exp(ε -
 * loss))⁺.
 */
function gaussianDelta(rho: number, epsilon: number): number {
  const sd = Math.sqrt(2 * rho)
  const from = Math.max((epsilon - rho) / sd, -12)
  const steps = 4000
  const h = 12 / steps
  let sum = 0
  for (let i = 0; i < steps; i++) {
    const z = from + (i + 0.5) * h
    sum += Math.exp((-z * z) / 2) * Math.max(0, -Math.expm1(epsilon - rho - sd * z))
  }
  return (sum * h) / Math.sqrt(2 * Math.PI)
}

describe('epsilonOfRho', () => {
  // Computed with 40 digits; the last one here is not rounded up.
  test.each([
    ['1e-9', '1e-6', '8.953361886779917217e-5'],
    ['1e-9', '1e-15', '2.94135835873428789e-4'],
    ['0.01', '1e-6', '0.621692654559602495'],
    ['0.1', '1e-6', '2.141938928385473661'],
    ['0.5', '1e-9', '6.474070020726486144'],
    ['100', '1e-15', '215.7563326022081322'],
    ['1', '0.5', '0.9751086818473894038'],
    ['0.02', '0.1', '0.03983720269413694336'],
  ])('ρ = %s at δ = %s is %s, rounded up', (rho, delta, expected) => {
    const epsilon = epsilonOfRho(read(rho), read(delta))
    // Up by less than one unit in the last place, and twice as much where the expected text was rounded to a double.
    expect(epsilon).toBeGreaterThanOrEqual(Number(expected))
    expect(epsilon).toBeLessThanOrEqual(Number(expected) * (1 + 2 ** -51))
  })

  test('is the best order of a fine grid, or a little better', () => {
    fc.assert(
      fc.property(rhos, deltas, (rho, delta) => {
        const { epsilon: grid, beta } = onGrid(rho, delta)
        const ours = epsilonOfRho(rho, delta)
        // The grid's rounding: a few units of its largest parts.
        const rounding = 1e-14 * (1 + rho + Math.abs(Math.log(beta)) + (40 + Math.log1p(beta)) / beta)
        // The grid's best is half a step from the minimum at most, where the second derivative times β² is 2ρβ +
        // 1/(1+β).
        const coarse = halfStep ** 2 * (2 * rho * beta + 1)
        expect(ours).toBeLessThanOrEqual(Math.max(0, grid) + rounding)
        expect(ours).toBeGreaterThanOrEqual(grid - coarse - rounding)
      }),
    )
  })

  test('is no more than ρ + 2√(ρ ln(1/δ)), and enough for Gaussian noise', () => {
    fc.assert(
      fc.property(rhos, deltas, (rho, delta) => {
        const epsilon = epsilonOfRho(rho, delta)
        expect(epsilon).toBeLessThanOrEqual(rho + 2 * Math.sqrt(-rho * Math.log(delta)))
        // 4,000 midpoints over 12 standard deviations are right to h²: 10^-5.
        expect(gaussianDelta(rho, epsilon)).toBeLessThanOrEqual(delta * (1 + 1e-4))
      }),
    )
  })

  test('is not enough for Gaussian noise when ρ is understated: the test above has power', () => {
    for (const [rho, delta] of [
      [0.01, 1e-6],
      [0.5, 1e-9],
    ] as const) {
      expect(gaussianDelta(rho, epsilonOfRho(0.8 * rho, delta))).toBeGreaterThan(delta)
    }
  })

  test('grows with ρ, unit by unit, and falls with δ', () => {
    const units = fc.double({ min: 0, max: 14, noNaN: true }).map((e) => Math.floor(10 ** e))
    fc.assert(
      fc.property(units, deltas, deltas, (u, delta, other) => {
        const [rho, next] = [rational(u, 10n ** 12n), rational(u + 1, 10n ** 12n)]
        const [here, there] = [epsilonOfRho(rho, delta), epsilonOfRho(next, delta)]
        if (here > 0) expect(there).toBeGreaterThan(here)
        else expect(there).toBeGreaterThanOrEqual(0)
        const [low, high] = [Math.min(delta, other), Math.max(delta, other)]
        expect(epsilonOfRho(rho, low)).toBeGreaterThanOrEqual(epsilonOfRho(rho, high))
      }),
    )
  })

  test('at the edges', () => {
    expect(epsilonOfRho(0, 0)).toBe(0)
    expect(epsilonOfRho(zero, read('1e-6'))).toBe(0)
    expect(epsilonOfRho(1e-12, 0)).toBe(Number.POSITIVE_INFINITY)
    expect(epsilonOfRho(Number.POSITIVE_INFINITY, 1e-6)).toBe(Number.POSITIVE_INFINITY)
    expect(epsilonOfRho(1e-4, 0.01)).toBe(0)
    expect(epsilonOfRho(1, read('0.99999999999999999999999999999999999999999999'))).toBe(0)
    // As δ falls, ε grows like 2√(ρ ln(1/δ)), at δ that no double holds too.
    const simple = 0.01 + 2 * Math.sqrt(0.01 * 5000 * Math.LN10)
    const tiny = epsilonOfRho(0.01, read('1e-5000'))
    expect(tiny).toBeLessThan(simple)
    expect(tiny).toBeGreaterThan(0.99 * simple)
  })

  test.each([
    [-1e-12, 1e-6],
    [1, 1],
    [1, -1e-6],
    [0, 1],
  ])('refuses ρ = %d, δ = %d', (rho, delta) => {
    expect(() => epsilonOfRho(rho, delta)).toThrow(expect.objectContaining({ code: 'scale-invalid' }))
  })
})

describe('rhoCap', () => {
  const epsilons = exponent(-5, 2.5)

  test('is the last unit within ε', () => {
    fc.assert(
      fc.property(epsilons, deltas, (epsilon, delta) => {
        const cap = rhoCap(fromNumber(epsilon), fromNumber(delta))
        expect(Number.isSafeInteger(cap)).toBe(true)
        // In doubles, which ε itself and its bound were rounded to: one unit in the last place.
        expect(epsilonOfRho(unitsToNumber(cap), delta)).toBeLessThanOrEqual(epsilon * (1 + 2 ** -52))
        expect(epsilonOfRho(unitsToNumber(cap + 1), delta)).toBeGreaterThan(epsilon * (1 - 2 ** -52))
      }),
      { numRuns: 50 },
    )
  })

  test('grows with ε and with δ', () => {
    fc.assert(
      fc.property(epsilons, epsilons, deltas, deltas, (a, b, c, d) => {
        const [small, large] = [fromNumber(Math.min(a, b)), fromNumber(Math.max(a, b))]
        const [strict, loose] = [fromNumber(Math.min(c, d)), fromNumber(Math.max(c, d))]
        expect(rhoCap(small, strict)).toBeLessThanOrEqual(rhoCap(large, strict))
        expect(rhoCap(small, strict)).toBeLessThanOrEqual(rhoCap(small, loose))
      }),
      { numRuns: 20 },
    )
  })

  test('at the edges', () => {
    expect(rhoCap(one, zero)).toBe(0)
    expect(rhoCap(zero, read('1e-15'))).toBe(0)
    expect(rhoCap(read('1e-6'), read('1e-15'))).toBe(0)
    expect(rhoCap(one, read('1e-6'))).toBe(24_355_970_359)
    expect(() => rhoCap(rational(-1), read('1e-6'))).toThrow(expect.objectContaining({ code: 'scale-invalid' }))
    expect(() => rhoCap(one, one)).toThrow(expect.objectContaining({ code: 'scale-invalid' }))
  })
})
