import {
  add,
  ceil,
  compare,
  divide,
  fromNumber,
  multiply,
  one,
  type Rational,
  toNumber,
  toText,
} from '../../numeric/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { fixedToNumberUp, fixedToRational, fixedUp, logBounds } from './fixed-log.ts'
import { type Units, unitsToNumber } from './units.ts'

/*
 * From ρ (zero-concentrated differential privacy) to (ε, δ): for every order α > 1 a ρ-private release is (ε,
 * δ)-private with δ = exp((α-1)(αρ-ε))/(α-1)·(1-1/α)^α (Canonne, Kamath, Steinke 2020, Corollary 13), or, solved for ε
 * and with β = α-1,
 *
 *   ε = (1+β)ρ - ln((1+β)/β) + (ln(1/δ) - ln(1+β))/β.
 *
 * Its derivative by β is ρ - (ln(1/δ) - ln(1+β))/β²: the best β is the one root of ρβ² + ln(1+β) = ln(1/δ). Every β is
 * valid, so floating point may look for it; ε at that β is then computed in fractions of 2^-128 with every rounding
 * upward, and needs no margin for what Math functions may do. Being off by 10^-12 of β costs 10^-24·(ρβ + 1) in ε at
 * most, since the derivative is 0 there.
 *
 * ρ is kept in the same units of 10^-12 as ε, and a price is rounded up to them: by 0.1% or less from ρ = 10^-9 on,
 * which alone is ε = 9·10^-5 at δ = 10^-6 and 3·10^-4 at 10^-15. What costs less than a unit pays one; rhoCap is 0
 * where not even one is within ε (below 8.5·10^-6 at δ = 10^-15, never at 10^-6). A cap of ε = 1 is 2.4·10^10 and
 * 8.4·10^9 units there, of ε = 1000 near 10^15: finer units would not fit 2^53.
 * Proof: docs/algorithms/two-currencies.md
 */

/**
 * An ε for which every ρ-private release is (ε, δ)-private: the least that the formula gives, rounded up to a double. 0
 * for ρ = 0, Infinity for δ = 0 otherwise. Grows with ρ, from one unit to the next strictly unless it is 0; falls with
 * δ.
 */
export function epsilonOfRho(rho: Rational | number, delta: Rational | number): number {
  if (rho === Number.POSITIVE_INFINITY) return rho
  const bound = epsilonBound(exact(rho), exact(delta))
  return bound === undefined ? Number.POSITIVE_INFINITY : fixedToNumberUp(bound)
}

/** Caps found before: a policy has few, and each takes some fifty evaluations. */
const known = new Map<string, Units>()

/** The largest ρ, in units, for which epsilonOfRho is at most ε before it is rounded to a double: rounded down. */
export function rhoCap(epsilon: Rational, delta: Rational): Units {
  if (epsilon.num < 0n) throw invalid('an epsilon must not be below 0')
  const key = `${toText(epsilon)} ${toText(delta)}`
  const units = known.get(key) ?? largestRho(epsilon, delta)
  if (known.size < 1000) known.set(key, units)
  return units
}

function largestRho(epsilon: Rational, delta: Rational): Units {
  const isWithin = (units: Units) => {
    const bound = epsilonBound(fromNumber(unitsToNumber(units)), delta)
    return bound !== undefined && compare(fixedToRational(bound), epsilon) <= 0
  }
  let [within, beyond] = [0, Number.MAX_SAFE_INTEGER]
  while (beyond - within > 1) {
    const between = within + Math.floor((beyond - within) / 2)
    if (isWithin(between)) within = between
    else beyond = between
  }
  return within
}

const invalid = (message: string) => new ReticentError('scale-invalid', {}, { message })

const exact = (value: Rational | number): Rational => (typeof value === 'number' ? fromNumber(value) : value)

/** ε as a fixed number that is certainly not too small; undefined where no finite one holds. */
function epsilonBound(rho: Rational, delta: Rational): bigint | undefined {
  if (rho.num < 0n) throw invalid('a privacy cost must not be below 0')
  if (delta.num < 0n || compare(delta, one) >= 0) throw invalid('delta must be at least 0 and below 1')
  if (rho.num === 0n) return 0n
  if (delta.num === 0n) return undefined
  const target = logBounds(divide(one, delta)).high
  const beta = goodOrder(toNumber(rho), toNumber(fixedToRational(target)))
  const alpha = add(one, beta)
  const last = ceil({ num: (target - logBounds(alpha).low) * beta.den, den: beta.num })
  const epsilon = fixedUp(multiply(alpha, rho)) - logBounds(divide(alpha, beta)).low + last
  return epsilon > 0n ? epsilon : 0n
}

/**
 * Nearly the root β of ρβ² + ln(1+β) = target, as a fraction of 12 digits. Each term alone says how large it can be at
 * most.
 */
function goodOrder(rho: number, target: number): Rational {
  let low = 0
  let high = Math.min(Math.sqrt(target / rho), Math.expm1(target), 1e150)
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (rho * middle * middle + Math.log1p(middle) < target) low = middle
    else high = middle
  }
  return fromNumber(Number(Math.max(high, 1e-30).toPrecision(12)))
}
