import {
  compare,
  divide,
  floor,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../../../numeric/index.ts'
import { shareOut, wholeUnits } from '../../marginals/share.ts'

/** What one round may cost: the choice, and the answer. */
export interface RoundPrice {
  readonly choice: Rational
  readonly answer: Rational
}

/** Prices of rounds, one after the other, until the budget is used up. */
export interface RoundPrices {
  /** How many there will be; undefined where that is not known beforehand. */
  readonly count?: number
  /** The next; `faded` says that the last answer told no more than noise would. */
  next(faded: boolean): RoundPrice | undefined
}

const half = (price: Rational): RoundPrice => {
  const [choice, answer] = shareOut(price, [1, 1]) as [Rational, Rational]
  return { choice, answer }
}

/** Equal ones. */
export function equalPrices(amount: Rational, count: number): RoundPrices {
  const prices = shareOut(amount, new Array<number>(count).fill(1)).map(half)
  let round = 0
  return { count, next: () => prices[round++] }
}

/**
 * Twice the price from when an answer tells nothing new (arXiv version, §4.2), beginning with so many rounds for the
 * whole. Earlier answers are kept. What would not pay for two more rounds goes into the last.
 */
export function doublingPrices(amount: Rational, rounds: number): RoundPrices {
  let left = wholeUnits(amount)
  let price = wholeUnits(divide(amount, rational(rounds)))
  return {
    next(faded) {
      if (left.num <= 0n) return undefined
      if (faded) price = multiply(price, rational(2))
      const now = compare(multiply(price, rational(2)), left) > 0 ? left : price
      left = subtract(left, now)
      return half(now)
    },
  }
}

/** The ε of a choice that costs at most this: itself, or in ρ the root of 8ρ, rounded down. */
export function choiceEpsilon(price: Rational, currency: 'epsilon' | 'rho'): Rational {
  if (currency === 'epsilon') return price
  const root = BigInt(Math.floor(Math.sqrt(8 * toNumber(price)) * 1e12))
  const grid = 10n ** 12n
  const fits = (e: bigint) => e * e <= floor(multiply(price, rational(8n * grid * grid)))
  return rational(fits(root) ? root : root - root / 10n ** 9n - 1n, grid)
}
