import { fromNumber } from '../numeric/index.ts'
import { evaluate, type LinearQuery, type Measurement, type NoiseLaw, type Statement } from '../query/index.ts'
import { addSpending, type Charge, nothing, type Spending } from '../trusted/accounting/index.ts'
import { choose, fresh, spreadOf } from './choice.ts'
import { boundsIn, estimate } from './columns.ts'
import { type Bought, confidenceFor, type Material } from './compose.ts'
import { type Cost, costOf, isAffordable, leftToAsk, priceOf } from './cost.ts'
import { independent, together } from './joint.ts'
import type { Known } from './knowledge.ts'
import { fromHistory, fromMeasurement, knownAlone } from './known-part.ts'
import type { Needs } from './needs.ts'
import type { Asking, Within } from './precise.ts'
import { chargeOf, type PricedPart, priceParts } from './price.ts'
import { type Chosen, knownPart, purchasesOf, reportOf, totalOf } from './purchase.ts'
import { type Evidence, isBounded, needed, type Prospect, prospectOf } from './ratio-bound.ts'
import { RatioLaws, type Situation } from './ratio-laws.ts'

/**
 * The doubt is shared: which interval becomes the answer, the history's or the purchase's, is decided by what the history
 * says, so each has a share; and all that the width of the purchase's interval hangs on has the rest.
 */
const shares = { history: 0.45, purchase: 0.45, width: 0.1 }
/** At most so many purchases that tell how large denominators are, each so many times as dear as the one before. */
const [mostLooks, growth] = [6, 4]
/** The first one costs this much, or this share of what may be spent. */
const [firstLook, shareOfLook] = [0.001, 1 / 256]

/** A cheap purchase, to know how large a part is. */
export interface Look {
  readonly part: number
  readonly query: LinearQuery
  readonly charge: Charge
  readonly price: Spending
}

export type Step =
  | { readonly kind: 'look'; readonly looks: readonly Look[] }
  | { readonly kind: 'close'; readonly chosen: readonly Chosen[] }
  /** With what is known it would cost this much, and more cannot be found out. */
  | { readonly kind: 'refuse'; readonly price: Spending }

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
  readonly #paid: Spending[]
  #stage = 0

  constructor(statement: Statement, wanted: Within, needs: Needs, asking: Asking) {
    this.#statement = statement
    this.#wanted = wanted
    this.#needs = needs
    this.#asking = asking
    this.confidence = confidenceFor(statement, wanted)
    // The history's bounds, every look's, and how far the denominator's last estimate is off.
    this.#sure = this.#confidenceWith(shares.width / (mostLooks + 2))
    this.#paid = statement.parts.map(() => nothing)
    const sureness = { confidence: this.#confidenceWith(shares.purchase), sure: this.#sure }
    this.#laws = needs.ratios.map((goal) => new RatioLaws(goal, statement.parts, sureness, asking.book))
  }

  #confidenceWith(share: number): number {
    return 1 - share * (1 - this.confidence)
  }
  get #bar() {
    return { floor: this.#wanted.floor ?? 0, sure: this.#sure }
  }
  readonly #evidence: Evidence = (part) =>
    this.#asking.knowledge.about(this.#statement.parts[part]!) ?? this.#seen.get(part)

  /** The history's answer, where it is precise enough. */
  free(): Material | undefined {
    const { book, knowledge } = this.#asking
    const queries = this.#statement.parts
    const known = queries.map((query) => knowledge.about(query))
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
    const prospects = this.#prospects()
    const closing = this.#closing(prospects.map(({ now }) => now))
    const hoped = this.#closing(prospects.map(({ best }) => best)) ?? []
    const looks = this.#looks(this.#stage)
    const goesOn = looks && this.#allows([...looks, ...purchasesOf(hoped)])
    if (closing?.length === this.#statement.parts.length && this.#allows(purchasesOf(closing))) {
      const saved = this.#worth(totalOf(closing)) - this.#worth(totalOf(hoped))
      if (!goesOn || saved <= this.#worth(sumOf(looks))) return { kind: 'close', chosen: closing }
    }
    return goesOn ? { kind: 'look', looks } : { kind: 'refuse', price: totalOf(closing ?? hoped) }
  }

  /** From the least to the most that all steps from this one on may cost. */
  range(step: Exclude<Step, { kind: 'refuse' }>): { least: Cost; most: Cost } {
    const { book } = this.#asking
    if (step.kind === 'close') {
      const cost = costOf(totalOf(step.chosen), book)
      return { least: cost, most: cost }
    }
    const closing = this.#closing(this.#prospects().map(({ now }) => now))
    const looks = Array.from({ length: mostLooks - this.#stage }, (_, k) => this.#looks(this.#stage + k) ?? [])
    const all = closing && costOf(addSpending(sumOf(looks.flat()), totalOf(closing)), book)
    const most = all && all.epsilon < this.#allowance.epsilon ? all : this.#allowance
    return { least: costOf(sumOf(step.looks), book), most }
  }

  learn(looks: readonly Look[], measurements: readonly Measurement[]): void {
    looks.forEach(({ part, price }, i) => {
      this.#seen.set(part, knownAlone(measurements[i]!))
      this.#paid[part] = addSpending(this.#paid[part]!, price)
    })
    this.#stage++
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

  #prospects(): Prospect[] {
    return this.#needs.ratios.map((goal) => prospectOf(goal, this.#evidence, this.#bar))
  }

  /** The parts of ratios. */
  #parts(): Set<number> {
    return new Set(this.#needs.ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part]))
  }

  /** What would be bought last in these situations; fewer parts where a ratio asks for nothing; undefined for no price. */
  #closing(situations: readonly Situation[]): Chosen[] | undefined {
    const { book, knowledge } = this.#asking
    const { parts } = this.#statement
    const charges = new Map<number, Charge>()
    const need = (part: number, charge: Charge) => {
      const other = charges.get(part)
      if (!other || spreadOf(charge.law) < spreadOf(other.law)) charges.set(part, charge)
    }
    for (const [i, goal] of this.#needs.ratios.entries()) {
      if (situations[i]!.bound === Infinity) continue
      const pair = this.#laws[i]!.for(situations[i]!)
      if (!pair) return undefined
      need(goal.ratio.numerator.part, pair[0])
      need(goal.ratio.denominator.part, pair[1])
    }
    const ratios = this.#parts()
    return parts.flatMap((query, part): Chosen[] => {
      const precision = { confidence: this.confidence, within: this.#needs.parts[part]! }
      if (!ratios.has(part))
        return [{ query, precision, choice: choose(query, precision, knowledge.about(query), book) }]
      if (precision.within < Infinity) need(part, fresh(query, precision, book).charge)
      const charge = charges.get(part)
      return charge ? [{ query, precision, choice: { kind: 'fresh', charge, price: priceOf(charge, book) } }] : []
    })
  }

  #looks(stage: number): Look[] | undefined {
    const { book } = this.#asking
    const first = Math.min(firstLook, this.#allowance.epsilon * shareOfLook)
    const epsilon = Number((first * growth ** stage).toPrecision(3))
    if (stage >= mostLooks || !(epsilon > 0)) return undefined
    const wanted = new Set(
      this.#needs.ratios.flatMap((goal) =>
        isBounded(goal) ? [goal.ratio.denominator.part] : [goal.ratio.denominator.part, goal.ratio.numerator.part],
      ),
    )
    const queries = [...wanted].map((part) => this.#statement.parts[part]!)
    const priced: PricedPart[] = priceParts({ parts: queries }, fromNumber(epsilon), book)
    return [...wanted].map((part, i) => {
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
    return this.#paid.reduce(addSpending, nothing)
  }
  #allows(purchases: readonly { charge: Charge; price: Spending }[]): boolean {
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
  all.map(({ price }) => price).reduce(addSpending, nothing)
const noNoise: NoiseLaw = { kind: 'none' }
