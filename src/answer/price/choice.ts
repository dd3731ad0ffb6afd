import { type Combination, freshLawFor, gaussianVarianceFor, laplaceScaleFor } from '../../inference/index.ts'
import { compare, toNumber } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, type NoiseLaw, queryKey } from '../../query/index.ts'
import { type AnswerCharge, epsilonAt, type Spending } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Known } from '../knowledge.ts'
import { knownAlone } from '../known/known-part.ts'
import { priceOf } from './cost.ts'
import { sellable, spreadOf } from './range.ts'

/** How a part of a question can be answered as precisely as it was asked for. */
export type Choice =
  | { readonly kind: 'free'; readonly known: readonly Known[] }
  | { readonly kind: 'fresh' | 'combined'; readonly charge: AnswerCharge; readonly price: Spending }
  | {
      readonly kind: 'refined'
      readonly charge: AnswerCharge
      readonly price: Spending
      readonly parent: string
    }

/** Half the width of the interval that is wanted, in the data's own units, and how sure it must be. */
export interface Precision {
  readonly within: number
  readonly confidence: number
}

/** How far a posterior may be blurred for a question of this precision. */
export const blurFor = (within: number): number => within / 200

/** The cheapest way, from public values alone: free, or a purchase by its own price. */
export function choose(query: LinearQuery, wanted: Precision, known: readonly Known[] | undefined, book: Book): Choice {
  const isEnough = ({ posterior }: Known) =>
    posterior(blurFor(wanted.within)).halfWidth(wanted.confidence) <= wanted.within
  if (known?.every(isEnough)) return { kind: 'free', known }
  // The history's estimate has the smaller variance, but its half-width may be the larger one by a hair.
  const own = ownAnswer(query, book)
  if (own?.every(isEnough)) return { kind: 'free', known: own }
  const alone = fresh(query, wanted, book)
  const best = cheaper(alone, refined(query, wanted, book), book)
  // A measurement's noise goes up as its price goes down.
  const noisierThan = (spreadOf(alone.charge.law) * epsilonAt(alone.price, book)) / epsilonAt(best.price, book)
  return cheaper(best, combined(query, wanted, known, { book, noisierThan }), book)
}

const cheaper = (one: Purchase, other: Purchase | undefined, book: Book): Purchase =>
  other && epsilonAt(other.price, book) < epsilonAt(one.price, book) ? other : one

export type Purchase = Exclude<Choice, { kind: 'free' }>

const noiseKind = (book: Book) => (book.cap.rho === null ? 'laplace' : 'gaussian')

export interface FreshPurchase {
  readonly kind: 'fresh'
  readonly charge: AnswerCharge
  readonly price: Spending
}

/** A fresh measurement alone: by the exact tail of its discrete law (Theorem 5.3). */
export function fresh(query: LinearQuery, wanted: Precision, book: Book): FreshPurchase {
  const charge = { kind: 'measurement', query, law: aloneLaw(query, wanted, book) } as const
  return { kind: 'fresh', charge, price: priceOf(charge, book) }
}

function aloneLaw(query: LinearQuery, { within, confidence }: Precision, book: Book): NoiseLaw {
  const steps = within / toNumber(query.step)
  const key = `${noiseKind(book)} ${steps} ${confidence}`
  const law: NoiseLaw =
    laws.get(key) ??
    (noiseKind(book) === 'laplace'
      ? { kind: 'laplace', scale: laplaceScaleFor(steps, confidence) }
      : { kind: 'gaussian', variance: gaussianVarianceFor(steps, confidence) })
  if (laws.size < 1000) laws.set(key, law)
  return law
}
/** The same precision is asked for again and again, several times in one question. */
const laws = new Map<string, NoiseLaw>()

/** A fresh measurement that together with the history is precise enough, in every group. */
function combined(
  query: LinearQuery,
  wanted: Precision,
  known: readonly Known[] | undefined,
  { book, noisierThan }: { readonly book: Book; readonly noisierThan: number },
): Purchase | undefined {
  if (!known) return undefined
  const step = toNumber(query.step)
  let least: NoiseLaw | undefined
  // Groups that are told alike need the same.
  for (const { made, posterior } of new Map(known.map((k) => [k.made, k])).values()) {
    if (posterior(blurFor(wanted.within)).halfWidth(wanted.confidence) <= wanted.within) continue
    const { coefficients: terms, variance } = made
    const history: Combination = { terms, variance, step, kind: noiseKind(book), noisierThan }
    const law = freshLawFor(history, wanted.within, wanted.confidence)
    if (!law) return undefined // a fresh one alone is as cheap
    if (!least || spreadOf(law) < spreadOf(least)) least = law
  }
  if (!least) return undefined
  const charge = { kind: 'measurement', query, law: sellable(least, book) } as const
  return { kind: 'combined', charge, price: priceOf(charge, book) }
}

/** A refinement of the least noisy measurement of the very same query. In ρ it would save nothing. */
function refined(query: LinearQuery, wanted: Precision, book: Book): Purchase | undefined {
  const law = aloneLaw(query, wanted, book)
  const parent = parentOf(query, book, 'laplace')
  if (law.kind !== 'laplace' || parent?.law.kind !== 'laplace' || compare(law.scale, parent.law.scale) >= 0)
    return undefined
  const charge = { kind: 'refinement', query, law, paid: parent.law } as const
  return { kind: 'refined', charge, price: priceOf(charge, book), parent: parent.id }
}

/** What the least noisy measurement of the very same query says by itself. */
export function ownAnswer(query: LinearQuery, book: Book): readonly Known[] | undefined {
  const measured = parentOf(query, book, noiseKind(book))
  return measured && knownAlone(measured)
}

export function parentOf(query: LinearQuery, book: Book, kind: NoiseLaw['kind']): Measurement | undefined {
  const text = keyOf(query)
  const same = book.releases
    .flatMap(({ measurements }) => measurements)
    .filter((m) => m.law.kind === kind && !book.isRefined(m.id) && keyOf(m.query) === text)
  return same.reduce<Measurement | undefined>(
    (best, m) => (!best || spreadOf(m.law) < spreadOf(best.law) ? m : best),
    undefined,
  )
}

/** A query in one canonical form; those of a long history are written once. */
export function keyOf(query: LinearQuery): string {
  const known = texts.get(query)
  if (known !== undefined) return known
  const text = queryKey(query)
  texts.set(query, text)
  return text
}
const texts = new WeakMap<LinearQuery, string>()
