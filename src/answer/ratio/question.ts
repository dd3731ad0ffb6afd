import { fromNumber } from '../../numeric/index.ts'
import { evaluate, type LinearQuery, type Measurement, type NoiseLaw, type Statement } from '../../query/index.ts'
import { type AnswerCharge, addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import { boundsIn, estimate } from '../columns.ts'
import { type Bought, confidenceFor, type Material } from '../compose.ts'
import { halfWidth } from '../interval.ts'
import { independent, together } from '../joint.ts'
import type { Known } from '../knowledge.ts'
import { fromHistory, fromMeasurement, knownAlone } from '../known-part.ts'
import type { Asking, Within } from '../precise.ts'
import { choose, fresh, spreadOf } from '../price/choice.ts'
import { type Cost, costOf, isAffordable, leftToAsk, priceOf } from '../price/cost.ts'
import type { Needs } from '../price/needs.ts'
import { chargeOf, type PricedPart, priceParts } from '../price/price.ts'
import { type Chosen, knownPart, purchasesOf, reportOf, totalOf } from '../price/purchase.ts'
import { type Bar, type Evidence, isBounded, needed, situationOf } from './bound.ts'
import { RatioLaws, type Situation } from './laws.ts'

/**
 * The doubt is shared: which interval becomes the answer, the history's or the purchase's, is decided by what the history
 * says, so each has a share; and all that the width of the purchase's interval hangs on has the rest.
 */
const shares = { history: 0.45, purchase: 0.45, width: 0.1 }
/** At most so many purchases that tell how large denominators are. */
const mostLooks = 6
/** None is more than so many times as dear as the one before. */
const growth = 4
/** The first one costs this much, or this share of what may be spent. */
const [firstLook, shareOfLook] = [0.001, 1 / 256]
/** Another look must be expected to save this much. */
const worthwhile = 0.95

/** A cheap purchase, to know how large a part is. */
export interface Look {
  readonly part: number
  readonly query: LinearQuery
  readonly charge: AnswerCharge
  readonly price: Spending
}

export type Step =
  | { readonly kind: 'look'; readonly looks: readonly Look[] }
  | { readonly kind: 'close'; readonly chosen: readonly Chosen[] }
  /** With what is known it would cost this much, if there is a price at all. */
  | { readonly kind: 'refuse'; readonly price: Spending | undefined }

/** A question with ratios, and what has been found out for it on the way. */
export class RatioQuestion {
  readonly #statement: Statement
  readonly #wanted: Within
  readonly #needs: Needs
  readonly #asking: Asking
  /** Of an interval by itself. */
  readonly confidence: number
  readonly #sure: number
  readonly #laws: readonly RatioLaws[]
  readonly #seen = new Map<number, readonly Known[]>()
  readonly #told = new Map<number, readonly Known[] | undefined>()
  readonly #paid: Spending[]
  #stage = 0
  /** ε of the look before. */
  #lastLook = 0

  constructor(statement: Statement, wanted: Within, needs: Needs, asking: Asking) {
    this.#statement = statement
    this.#wanted = wanted
    this.#needs = needs
    this.#asking = asking
    this.confidence = confidenceFor(statement, wanted)
    // The history's bounds, every look's, and how far the denominator's last estimate is off.
    this.#sure = this.#confidenceWith(shares.width / (mostLooks + 2))
    this.#paid = statement.parts.map(() => zeroSpending)
    const sureness = { confidence: this.#confidenceWith(shares.purchase), sure: this.#sure }
    this.#laws = needs.ratios.map((goal) => new RatioLaws(goal, statement.parts, sureness, asking.book))
  }

  #confidenceWith(share: number): number {
    return 1 - share * (1 - this.confidence)
  }
  get #bar() {
    return { floor: this.#wanted.floor ?? 0, sure: this.#sure }
  }
  /** What the history says about a part, else what was seen of it; until more is learned, it is asked once. */
  readonly #evidence: Evidence = (part) => {
    if (!this.#told.has(part)) this.#told.set(part, this.#asking.knowledge.about(this.#statement.parts[part]!))
    return this.#told.get(part) ?? this.#seen.get(part)
  }

  /** The history's answer, where it is precise enough. */
  free(): Material | undefined {
    const { book, knowledge } = this.#asking
    const queries = this.#statement.parts
    const known = queries.map((_, part) => this.#evidence(part))
    if (!known.every((cells) => cells !== undefined)) return undefined
    const parts = known.map((cells) => fromHistory(cells))
    const isTold = this.#needs.parts.every(
      (need, i) => need === Infinity || known[i]!.every((k) => k.posterior().halfWidth(this.confidence) <= need),
    )
    if (!isTold) return undefined
    const sure = {
      confidence: this.confidence,
      joint: together(queries, knowledge),
      ratioConfidence: this.#confidenceWith(shares.history),
    }
    for (const goal of this.#needs.ratios) {
      const bounds = boundsIn(goal.expression, parts, sure)
      const isEnough = needed(goal, this.#evidence, this.#bar)!.every((isNeeded, group) => {
        if (!isNeeded) return true
        const values = parts.map((part) => part.values[group]!)
        const { within } = estimate(evaluate(goal.expression, values), bounds(group))
        return within !== null && within <= this.#wanted.within
      })
      if (!isEnough) return undefined
    }
    const reports = queries.map((query) => reportOf({ query, choice: { kind: 'free', known: [] } }, book))
    return { kind: 'free', parts, reports, joint: sure.joint, ratioConfidence: sure.ratioConfidence }
  }

  /** What to do next, from what has been told so far. */
  next(): Step {
    const closing = this.#closing(this.#situations(), 'for')
    const canClose = closing && this.#allows(purchasesOf(closing))
    const look = this.#bestLook()
    if (look && look.total < worthwhile * (canClose ? this.#worth(totalOf(closing)) : Infinity))
      return { kind: 'look', looks: look.looks }
    if (canClose) return { kind: 'close', chosen: closing }
    const likely = closing ?? this.#closing(this.#situations({ supposed: () => 0 }), 'about')
    return { kind: 'refuse', price: likely && totalOf(likely) }
  }

  /** From the least to the most that all steps from this one on may cost. */
  range(step: Exclude<Step, { kind: 'refuse' }>): { least: Cost; most: Cost } {
    const { book } = this.#asking
    if (step.kind === 'look') return { least: costOf(sumOf(step.looks), book), most: this.#allowance }
    const cost = costOf(totalOf(step.chosen), book)
    return { least: cost, most: cost }
  }

  /**
   * The look after which all will have cost least, the last purchase included, if the estimates are right. The first is
   * as cheap as can be, and none is much dearer than the one before: until they are looked at more closely, estimates
   * may be far off. So where they promise nothing, but might be wrong, there is another look as well.
   */
  #bestLook(): { looks: readonly Look[]; total: number } | undefined {
    if (this.#stage === mostLooks) return undefined
    const first = Math.min(firstLook, this.#allowance.epsilon * shareOfLook)
    if (!(first > 0)) return undefined
    const isKnown = this.#lookParts().every((part) => this.#evidence(part) !== undefined)
    const most = growth * (this.#lastLook || (isKnown ? growth * first : first / growth))
    let best: { looks: readonly Look[]; total: number } | undefined
    for (let epsilon = first; isKnown && epsilon <= most; epsilon *= 2) {
      const looks = this.#looks(epsilon)
      const widths = new Map(looks.map(({ part, charge }) => [part, halfWidth(charge, this.#sure)]))
      const closing = this.#closing(this.#situations({ supposed: (part) => widths.get(part) ?? Infinity }), 'about')
      if (!closing || !this.#allows([...looks, ...purchasesOf(closing)])) continue
      const total = this.#worth(addSpending(sumOf(looks), totalOf(closing)))
      if (!best || total < best.total) best = { looks, total }
    }
    if (best) return best
    const looks = this.#looks(most)
    const hoped = isKnown ? this.#closing(this.#situations({ hopeful: true }), 'about') : []
    // Several more may follow, and the last purchase.
    const total = growth * this.#worth(sumOf(looks))
    return hoped && this.#allows([...looks, ...purchasesOf(hoped)]) ? { looks, total } : undefined
  }

  learn(looks: readonly Look[], measurements: readonly Measurement[]): void {
    looks.forEach(({ part, price }, i) => {
      this.#seen.set(part, knownAlone(measurements[i]!))
      this.#paid[part] = addSpending(this.#paid[part]!, price)
    })
    this.#told.clear()
    this.#stage++
    this.#lastLook = Math.max(this.#lastLook, costOf(sumOf(looks), this.#asking.book).epsilon)
  }

  /** The answer's material, once everything has been bought. */
  answered(chosen: readonly Chosen[], measurements: readonly (Measurement | undefined)[], bought: Bought): Material {
    const { book, knowledge } = this.#asking
    const ratios = this.#parts()
    const parts = chosen.map(({ query, choice, precision }, i) => {
      const measured = measurements[i]
      if (ratios.has(i) && measured && choice.kind !== 'free')
        return fromMeasurement(measured, addSpending(this.#paid[i]!, choice.price))
      return knownPart({ precision, choice, measured, after: knowledge.about(query) })
    })
    const reports = chosen.map((part, i) => ({
      ...reportOf(part, book),
      epsilon: costOf(parts[i]!.price, book).epsilon,
    }))
    const laws = chosen.map(({ query, choice }) => ({
      query,
      law: choice.kind === 'free' ? noNoise : choice.charge.law,
    }))
    const ratioConfidence = this.#confidenceWith(shares.purchase)
    return { kind: 'fresh', parts, reports, joint: independent(laws), ratioConfidence, bought }
  }

  #situations(supposing: Pick<Bar, 'supposed' | 'hopeful'> = {}): Situation[] {
    return this.#needs.ratios.map((goal) => situationOf(goal, this.#evidence, { ...this.#bar, ...supposing }))
  }

  /** The parts of ratios. */
  #parts(): Set<number> {
    return new Set(this.#needs.ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part]))
  }

  /** What would be bought last in these situations, exactly or about; undefined where there is no price. */
  #closing(situations: readonly Situation[], how: 'for' | 'about'): Chosen[] | undefined {
    const { book, knowledge } = this.#asking
    const { parts } = this.#statement
    const charges = new Map<number, AnswerCharge>()
    const need = (part: number, charge: AnswerCharge) => {
      const other = charges.get(part)
      if (!other || spreadOf(charge.law) < spreadOf(other.law)) charges.set(part, charge)
    }
    for (const [i, goal] of this.#needs.ratios.entries()) {
      const pair = this.#laws[i]![how](situations[i]!)
      if (!pair) return undefined
      need(goal.ratio.numerator.part, pair[0])
      need(goal.ratio.denominator.part, pair[1])
    }
    const ratios = this.#parts()
    return parts.map((query, part): Chosen => {
      const precision = { confidence: this.confidence, within: this.#needs.parts[part]! }
      if (!ratios.has(part)) return { query, precision, choice: choose(query, precision, knowledge.about(query), book) }
      if (precision.within < Infinity) need(part, fresh(query, precision, book).charge)
      const charge = charges.get(part)!
      return { query, precision, choice: { kind: 'fresh', charge, price: priceOf(charge, book) } }
    })
  }

  /** Denominators; and numerators of ratios that are not bounded by the policy. */
  #lookParts(): number[] {
    const parts = this.#needs.ratios.flatMap((goal) =>
      isBounded(goal) ? [goal.ratio.denominator.part] : [goal.ratio.denominator.part, goal.ratio.numerator.part],
    )
    return [...new Set(parts)]
  }

  #looks(epsilon: number): Look[] {
    const { book } = this.#asking
    const wanted = this.#lookParts()
    const queries = wanted.map((part) => this.#statement.parts[part]!)
    const priced: PricedPart[] = priceParts({ parts: queries }, fromNumber(Number(epsilon.toPrecision(3))), book)
    return wanted.map((part, i) => {
      const query = queries[i]!
      const { charge, price } = this.#blurred(part, { charge: chargeOf(priced[i]!), price: priced[i]!.price })
      return { part, query, charge, price }
    })
  }
  /** No more precise than it takes to tell an empty group from one at the floor. */
  #blurred(part: number, look: Pick<Look, 'charge' | 'price'>): Pick<Look, 'charge' | 'price'> {
    const { floor } = this.#bar
    const goal = this.#needs.ratios.find(({ ratio }) => ratio.denominator.part === part)
    if (floor === 0 || !goal || look.charge.law.kind === 'none') return look
    const within = floor / 1.5 / Math.abs(goal.ratio.denominator.times)
    const enough = fresh(look.charge.query, { within, confidence: this.#sure }, this.#asking.book)
    return spreadOf(enough.charge.law) > spreadOf(look.charge.law) ? enough : look
  }

  /** For looks, so far. */
  get spent(): Spending {
    return this.#paid.reduce(addSpending, zeroSpending)
  }
  #allows(purchases: readonly { charge: AnswerCharge; price: Spending }[]): boolean {
    const { book, quota } = this.#asking
    return (
      this.#fits(sumOf(purchases)) &&
      isAffordable(
        purchases.map(({ charge }) => charge),
        book,
        quota,
      )
    )
  }
  /** Whether whoever asks allows it, with what has been spent already. */
  #fits(price: Spending): boolean {
    const { epsilon } = costOf(addSpending(this.spent, price), this.#asking.book)
    return epsilon <= (this.#wanted.maxEpsilon ?? Infinity)
  }
  /** The most that may be spent. */
  get #allowance(): Cost {
    const { book, quota } = this.#asking
    const left = leftToAsk(book, quota)
    return { ...left, epsilon: Math.min(left.epsilon, this.#wanted.maxEpsilon ?? Infinity) }
  }
  /** In the currency that purchases are made in. */
  #worth({ epsilon, rho }: Spending): number {
    return this.#asking.book.cap.rho === null ? epsilon : rho
  }
}

const sumOf = (all: readonly { readonly price: Spending }[]): Spending =>
  all.map(({ price }) => price).reduce(addSpending, zeroSpending)
const noNoise: NoiseLaw = { kind: 'none' }
