import type { Rational } from '../../numeric/index.ts'
import type { Cap, Spending } from './spending.ts'
import { rootOfUnits, unitsToNumber } from './units.ts'
import { epsilonOfRho } from './zcdp.ts'

/** What a dataset promises: its cap, and the δ that ρ is turned into ε with. */
interface Promised {
  readonly cap: Cap
  readonly terms: { readonly delta: Rational }
}

/** A spending as one ε at the promise's δ: the better of what the two currencies say, rounded up to nine digits. */
export function epsilonAt({ epsilon, rho }: Spending, { cap, terms }: Promised): number {
  const pure = unitsToNumber(epsilon)
  return cap.rho === null ? pure : Math.min(pure, upToDigits(epsilonOfRho(unitsToNumber(rho), terms.delta)))
}

/**
 * The largest E that one more `--epsilon E` could have, for a question that everybody answers. Where ρ counts it buys
 * Gaussian noise, so what plain ε would leave does not help.
 */
export function leftOf(spent: Spending, cap: Cap, { terms }: Pick<Promised, 'terms'>): number {
  if (cap.rho === null) return unitsToNumber(Math.max(0, cap.epsilon - spent.epsilon))
  if (spent.rho === 0) return unitsToNumber(cap.epsilon)
  return downToDigits(epsilonOfRho(unitsToNumber(Math.max(0, cap.rho - spent.rho)), terms.delta))
}

/**
 * The largest E that one more run could hold for every record: what is left in ε or, where ρ counts and E is E²/2 there,
 * the root of twice what is left in ρ, to nine digits. Never too large.
 */
export function leftToHold(spent: Spending, cap: Cap): number {
  const plain = unitsToNumber(Math.max(0, cap.epsilon - spent.epsilon))
  if (cap.rho === null) return plain
  return Math.max(plain, rootOfUnits(2 * Math.max(0, cap.rho - spent.rho)))
}

/** To nine digits after the point: what a root leaves beyond them says nothing to anybody. Never below the value. */
function upToDigits(value: number): number {
  const near = Math.round(value * 1e9)
  return near / 1e9 >= value ? near / 1e9 : (near + 1) / 1e9
}
/** The same, never above the value: to ask for exactly what is left is not refused for a rounding. */
function downToDigits(value: number): number {
  const near = Math.round(value * 1e9)
  return near / 1e9 <= value ? near / 1e9 : (near - 1) / 1e9
}
