import { combinedTerms, errorLawByCharacteristic } from '../../inference/index.ts'
import { add, compare, divide, fromNumber, multiply, type Rational, toNumber } from '../../numeric/index.ts'
import { isInNoiseRange } from '../../query/index.ts'
import { type AnswerCharge, measurementCharge } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { halfWidth } from '../column/interval.ts'
import type { Known } from '../known/known.ts'
import type { Session } from '../session.ts'
import type { Choice } from './choice.ts'
import { priceOf } from './cost.ts'
import type { PricedPart } from './priced-part.ts'
import { leastNoisy } from './same-query.ts'

/** What a price buys of one part, and how precise that will be. */
interface Offer {
  readonly choice: Choice
  readonly within: number
}

/**
 * The most precise that a price buys, from public values alone: a measurement by itself or combined with what the
 * history says, or a refinement of an earlier one. What is public and known already is not bought again.
 */
export function bestOffer(
  part: PricedPart,
  confidence: number,
  { book, knowledge, isPlan }: Pick<Session, 'book' | 'knowledge' | 'isPlan'>,
): Offer {
  const fresh = { kind: 'fresh', charge: measurementCharge(part), price: part.price } as const
  const alone: Offer = { choice: fresh, within: halfWidth(part, confidence) }
  const refined = refinement(part, book)
  // Where there is one thing to buy, the history is asked once that is in it.
  if (!isPlan && !refined && part.law.kind !== 'none') return alone
  const known = knowledge.about(part.query)
  if (part.law.kind === 'none' && known?.every(({ made }) => made.variance === 0))
    return { choice: { kind: 'free', known }, within: 0 }
  const offers: Offer[] = [alone]
  if (known && part.law.kind !== 'none' && knowledge.isConsultedAfter(part.query))
    offers.push({ choice: { ...fresh, kind: 'combined' }, within: combinedWidth(part, known, confidence) })
  if (refined) offers.push({ choice: refined, within: halfWidth(refined.charge, confidence) })
  return offers.reduce((best, offer) => (offer.within < best.within ? offer : best))
}

/** In the group of which the history tells least. */
function combinedWidth({ query, law }: PricedPart, known: readonly Known[], confidence: number): number {
  const { variance, coefficients: terms } = known.reduce((a, b) => (b.made.variance > a.made.variance ? b : a)).made
  const kind = law.kind === 'gaussian' ? 'gaussian' : 'laplace'
  return errorLawByCharacteristic(combinedTerms({ terms, variance, step: toNumber(query.step), kind }, law)).halfWidth(
    confidence,
  )
}

/** The least noisy measurement of the very same query, made as much sharper as the price allows. */
function refinement({ query, law, price }: PricedPart, book: Book): Extract<Choice, { kind: 'refined' }> | undefined {
  const parent = law.kind === 'laplace' && book.canRefine ? leastNoisy(query, book, 'laplace') : undefined
  if (law.kind !== 'laplace' || parent?.law.kind !== 'laplace') return undefined
  const [from, own] = [parent.law.scale, law.scale]
  // 1/scale = 1/from + 1/own.
  const scale = roundedUp(divide(multiply(from, own), add(from, own)))
  if (compare(scale, from) >= 0) return undefined
  const charge: AnswerCharge = { kind: 'refinement', query, law: { kind: 'laplace', scale }, paid: parent.law }
  const cost = priceOf(charge, book)
  if (cost.epsilon > price.epsilon || !isInNoiseRange(charge.law)) return undefined
  return { kind: 'refined', charge, price: cost, parent: parent.id }
}

/** Long fractions are cut to twelve digits: samplers are faster with short ones, and ledgers read better. */
function roundedUp(exact: Rational): Rational {
  if (exact.num < 2n ** 50n && exact.den < 2n ** 50n) return exact
  const near = Number(toNumber(exact).toPrecision(12))
  const rounded = fromNumber(near)
  if (compare(rounded, exact) >= 0) return rounded
  return fromNumber(Number((near + 10 ** (Math.floor(Math.log10(near)) - 11)).toPrecision(12)))
}
