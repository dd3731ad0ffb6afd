import { equals, type Rational } from '../numeric/index.ts'
import type { Measurement, Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import type { Meter } from '../trusted/meter/index.ts'
import { affineOf } from './affine.ts'
import type { Answer, Asked, Kind, Plan } from './answer.ts'
import { compose, confidenceFor, isSimultaneous } from './compose.ts'
import { halfWidth } from './interval.ts'
import { independent, type Joint, together } from './joint.ts'
import { fromHistory, fromMeasurement, type KnownPart } from './known-part.ts'
import type { Asking } from './precise.ts'
import { atPrice, type Offer } from './price/at-price.ts'
import { costOf, isAffordable, outlook } from './price/cost.ts'
import { chargeOf, priceParts } from './price/price.ts'
import { buy, narrower, purchasesOf, reportOf, totalOf } from './price/purchase.ts'
import { checkProbability } from './probability.ts'

export interface Requirement extends Asked {
  /** The whole statement's price. */
  readonly epsilon: Rational
}

/** Without knowledge of the history everything is bought afresh, and used alone. */
type Buying = Omit<Asking, 'knowledge'> & Partial<Pick<Asking, 'knowledge'>>

/** What the statement would cost and how precise it would be: from the policy and the ledger alone. */
export function plan(statement: Statement, wanted: Requirement, asking: Buying): Plan {
  checkConfidence(wanted.confidence)
  const { book, quota, approve } = asking
  const offers = offersFor(statement, wanted, asking)
  const charges = purchasesOf(offers).map(({ charge }) => charge)
  approve?.(charges)
  return {
    query: statement.text,
    confidence: wanted.confidence,
    ...(isSimultaneous(statement, wanted) ? { simultaneous: true } : {}),
    kind: kindOf(offers),
    cost: costOf(totalOf(offers), book),
    ...outlook(charges, book, quota),
    parts: offers.map(({ choice, within }, i) => ({
      ...reportOf({ query: statement.parts[i]!, choice }, book),
      within,
    })),
  }
}

/** Buys the statement's parts and computes its columns from them, and from the history where that is narrower. */
export async function ask(
  statement: Statement,
  wanted: Requirement,
  asking: Buying & { readonly meter: Meter },
): Promise<Answer> {
  checkConfidence(wanted.confidence)
  checkProbability(statement, wanted.probability)
  const { book, meter, quota } = asking
  await book.follow()
  const planned = offersFor(statement, wanted, asking)
  const { measurements, bought } = await buy(planned, { meter, quota, statement: statement.text })
  const offers = planned.map((offer, i) => asBought(offer, measurements[i]))
  const known = material(statement, confidenceFor(statement, wanted), { offers, measurements }, asking)
  const reports = offers.map(({ choice }, i) => reportOf({ query: statement.parts[i]!, choice }, book))
  const notConsulted = statement.parts.some((query) => asking.knowledge?.isConsulted(query) === false)
  return compose(statement, wanted, { ...known, reports, bought, notConsulted }, book)
}

function offersFor(statement: Statement, wanted: Requirement, { book, quota, knowledge }: Buying): Offer[] {
  const priced = priceParts(statement, wanted.epsilon, book)
  const confidence = confidenceFor(statement, wanted)
  const offers = priced.map((part) => atPrice(part, knowledge?.about(part.query), confidence, book))
  const charges = purchasesOf(offers).map(({ charge }) => charge)
  if (isAffordable(charges, book, quota)) return offers
  // Refinements are bought one by one: where not all can be had, all are asked for at once, to be refused at once.
  return priced.map((part) => ({
    choice: { kind: 'fresh', charge: chargeOf(part), price: part.price },
    within: halfWidth(part, confidence),
  }))
}

/** A refinement that somebody else was quicker to buy has become a measurement of its own. */
function asBought(offer: Offer, measured: Measurement | undefined): Offer {
  const { choice } = offer
  if (choice.kind !== 'refined' || !choice.instead || measured?.law.kind !== 'laplace') return offer
  const { law } = choice.instead
  const isFresh = law.kind === 'laplace' && equals(law.scale, measured.law.scale)
  return isFresh ? { ...offer, choice: { kind: 'fresh', charge: choice.instead, price: choice.price } } : offer
}

/** What is public is free; a refinement, or what was combined, is said to be so. */
function kindOf(offers: readonly Offer[]): Kind {
  const priced = purchasesOf(offers).filter(({ charge }) => charge.law.kind !== 'none')
  const kinds = new Set(priced.map(({ kind }) => kind))
  return (['refined', 'combined', 'fresh'] as const).find((kind) => kinds.has(kind)) ?? 'free'
}

interface Bought {
  readonly offers: readonly Offer[]
  readonly measurements: readonly (Measurement | undefined)[]
}

/** The measurements alone, or what the history says with them, where that is nowhere wider: the laws decide. */
function material(
  statement: Statement,
  confidence: number,
  { offers, measurements }: Bought,
  { knowledge }: Buying,
): { kind: Kind; parts: KnownPart[]; joint?: Joint } {
  const alone = offers.map(({ choice }, i) =>
    choice.kind === 'free' ? fromHistory(choice.known) : fromMeasurement(measurements[i]!, choice.price),
  )
  const laws = statement.parts.map((query, i) => measurements[i] ?? ({ query, law: { kind: 'none' } } as const))
  const told = statement.parts.map((query) => knowledge?.about(query))
  const both = alone.map((part, i) => (told[i] ? narrower(fromHistory(told[i]), part, confidence) : undefined))
  const isLinear = statement.columns.every((c) => c.kind === 'key' || affineOf(c.expression))
  const usesHistory = both.some((of) => of?.isNarrower)
  const kind = purchasesOf(offers).length > 0 && usesHistory ? 'combined' : 'fresh'
  const named = kindOf(offers)
  const said = named === 'refined' || named === 'free' ? named : kind
  if (isLinear) return { kind: said, parts: alone.map((part, i) => both[i]?.part ?? part), joint: independent(laws) }
  // A ratio needs both parts from one source, with one law of their errors.
  const isNowhereWider = knowledge !== undefined && usesHistory && both.every((of) => of?.isNowhereWider)
  return isNowhereWider
    ? {
        kind: said,
        parts: told.map((known, i) => ({ ...fromHistory(known!), price: alone[i]!.price })),
        joint: together(statement.parts, knowledge),
      }
    : { kind: named === 'combined' ? 'fresh' : named, parts: alone, joint: independent(laws) }
}

function checkConfidence(confidence: number): void {
  if (confidence > 0 && confidence < 1) return
  throw new ReticentError(
    'usage',
    { confidence },
    { message: 'confidence must lie between 0 and 1', hint: '0.95 is usual.' },
  )
}
