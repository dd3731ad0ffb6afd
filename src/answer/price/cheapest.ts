import { type Combination, freshLawFor } from '../../inference/index.ts'
import { compare, toNumber } from '../../numeric/index.ts'
import { type LinearQuery, type NoiseLaw, noiseSpread } from '../../query/index.ts'
import { epsilonAt } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Known } from '../known/known.ts'
import type { Session } from '../session.ts'
import type { Choice, PaidChoice } from './choice.ts'
import { priceOf } from './cost.ts'
import { aloneLaw, fresh, noiseKind, type Precision } from './fresh.ts'
import { sellable } from './range.ts'
import { leastNoisy, ownAnswer } from './same-query.ts'

/** How far the law of an error may be blurred for a question of this precision. */
export const blurFor = (within: number): number => within / 200

/** The cheapest way, from public values alone: free, or a purchase by its own price. */
export function cheapest(
  query: LinearQuery,
  wanted: Precision,
  { book, knowledge }: Pick<Session, 'book' | 'knowledge'>,
): Choice {
  const known = knowledge.about(query)
  const isEnough = ({ errorLaw }: Known) =>
    errorLaw(blurFor(wanted.within)).halfWidth(wanted.confidence) <= wanted.within
  if (known?.every(isEnough)) return { kind: 'free', known }
  // The history's estimate has the smaller variance, but its half-width may be the larger one by a hair.
  const own = ownAnswer(query, book)
  if (own?.every(isEnough)) return { kind: 'free', known: own }
  const alone = fresh(query, wanted, book)
  const best = cheaper(alone, refined(query, wanted, book), book)
  // What is combined must be found in the history together with what it is combined with.
  if (!known || !knowledge.isConsultedAfter(query)) return best
  // A measurement's noise goes up as its price goes down.
  const noisierThan = (noiseSpread(alone.charge.law) * epsilonAt(alone.price, book)) / epsilonAt(best.price, book)
  return cheaper(best, combined(query, wanted, known, { book, noisierThan }), book)
}

const cheaper = (one: PaidChoice, other: PaidChoice | undefined, book: Book): PaidChoice =>
  other && epsilonAt(other.price, book) < epsilonAt(one.price, book) ? other : one

/** A fresh measurement that together with the history is precise enough, in every group. */
function combined(
  query: LinearQuery,
  wanted: Precision,
  known: readonly Known[],
  { book, noisierThan }: { readonly book: Book; readonly noisierThan: number },
): PaidChoice | undefined {
  const step = toNumber(query.step)
  let least: NoiseLaw | undefined
  // Groups that are told alike need the same.
  for (const { made, errorLaw } of new Map(known.map((k) => [k.made, k])).values()) {
    if (errorLaw(blurFor(wanted.within)).halfWidth(wanted.confidence) <= wanted.within) continue
    const { coefficients: terms, variance } = made
    const history: Combination = { terms, variance, step, kind: noiseKind(book), noisierThan }
    const law = freshLawFor(history, wanted.within, wanted.confidence)
    if (!law) return undefined // a fresh one alone is as cheap
    if (!least || noiseSpread(law) < noiseSpread(least)) least = law
  }
  if (!least) return undefined
  const charge = { kind: 'measurement', query, law: sellable(least, book) } as const
  return { kind: 'combined', charge, price: priceOf(charge, book) }
}

/** A refinement of the least noisy measurement of the very same query. In ρ it would save nothing. */
function refined(query: LinearQuery, wanted: Precision, book: Book): PaidChoice | undefined {
  const law = aloneLaw(query, wanted, book)
  const parent = book.canRefine ? leastNoisy(query, book, 'laplace') : undefined
  if (law.kind !== 'laplace' || parent?.law.kind !== 'laplace' || compare(law.scale, parent.law.scale) >= 0)
    return undefined
  const charge = { kind: 'refinement', query, law, paid: parent.law } as const
  return { kind: 'refined', charge, price: priceOf(charge, book), parent: parent.id }
}
