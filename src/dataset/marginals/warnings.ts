import { add, divide, toNumber, zero } from '../../numeric/index.ts'
import { marginal } from '../../query/index.ts'
import { isMostlyNoise, type MarginalsRequest } from '../../release/index.ts'
import { runHold, unitsToNumber, unitsToRational } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { isShared, pricesIn } from './pricing.ts'

/** A warning where tables of zeros would surely be as good. */
export function noiseWarnings(
  { measured, zeros }: { readonly measured: number; readonly zeros?: number },
  tense: 'are' | 'would be',
): string[] {
  if (zeros === undefined || !isMostlyNoise(measured, zeros)) return []
  const [error, ofZeros] = [measured, zeros].map((value) => Number(value.toPrecision(3)))
  return [
    `These tables ${tense} mostly noise: their expected overall error is ${error}, and tables of zeros would have ${ofZeros}. Spend more ε, or ask for fewer or smaller marginals.`,
  ]
}

/** What Laplace noise costs where ρ counts, and what Gaussian noise would be for as much. */
export function laplaceWarnings(
  { method, budget }: Pick<MarginalsRequest, 'method' | 'budget'>,
  marginals: readonly (readonly string[])[],
  book: Book,
): string[] {
  const costly = marginals.filter((attributes) => !isShared(attributes, book))
  if (book.cap.rho === null || budget.rho || costly.length === 0) return []
  const rho = unitsToRational(runHold(budget).rho)
  const { unitNoise } = pricesIn(book, { rho })
  const variance = toNumber(divide(costly.map((attributes) => unitNoise(marginal(attributes))).reduce(add, zero), rho))
  const [most, cap, deviation] = [toNumber(rho), unitsToNumber(book.cap.rho), Math.sqrt(variance)].map((value) =>
    Number(value.toPrecision(3)),
  )
  return [
    `The policy has a δ, but ${method} uses Laplace noise, which is expensive in ρ: up to ${most} of ${cap}. At the same price, the method gaussian has noise of standard deviation ${deviation} in every table.`,
  ]
}

/** So many tables are named; release.json has all of them. */
const mostNamed = 10

/** Names the tables that a guard held back. */
export function heldBackWarnings(heldBack: readonly (readonly string[])[]): string[] {
  if (heldBack.length === 0) return []
  const named = heldBack.slice(0, mostNamed).map((attributes) => attributes.join(' × '))
  const others = heldBack.length - named.length
  const all = others > 0 ? [...named, `${others} more (heldBack in release.json)`] : named
  return [
    `A guard of the policy held back ${all.join(', ')}: it does not allow less noise there. The budget saved went to other tables, or is not spent.`,
  ]
}

/** Of a plan. */
export const guardWarning =
  'A guard of the policy may hold tables back: they then keep more noise than planned, and the budget saved goes to the others, or is not spent.'
