import { fromNumber } from '../../numeric/index.ts'
import { evaluate, isInNoiseRange, type NoiseLaw, type Statement } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { type AnswerCharge, addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import { boundsIn, estimate } from '../column/columns.ts'
import { halfWidth } from '../column/interval.ts'
import { confidenceFor, type Material } from '../compose.ts'
import { jointFromHistory, jointOfMeasurements } from '../known/joint.ts'
import type { Known } from '../known/known.ts'
import { fromHistory, fromMeasurement, knownAlone } from '../known/known-part.ts'
import { isAffordable, leftToAsk } from '../price/budget.ts'
import { type Purchase, purchasesOf, totalOf } from '../price/choice.ts'
import { type Cost, costOf, priceOf } from '../price/cost.ts'
import { fresh } from '../price/fresh.ts'
import type { Needs } from '../price/needs.ts'
import { reportOf } from '../price/part-report.ts'
import { chargeOf, priceParts } from '../price/priced-part.ts'
import { sellable, spreadOf } from '../price/range.ts'
import type { PartBought, PartChoice, Question, Step } from '../question/question.ts'
import { WithinQuestion } from '../question/within.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'
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

/**
 * Ratios within ± `within`: free where the history is precise enough, else from a purchase made for it and used alone,
 * after at most a few cheap ones that tell how large the denominators are.
 */
export class RatioQuestion implements Question {
  readonly #statement: Statement
  readonly #wanted: Within
  readonly #needs: Needs
  readonly #session: Session
  /** Of an interval by itself. */
  readonly #confidence: number
  readonly #sure: number
  readonly #laws: readonly RatioLaws[]
  readonly #seen = new Map<number, readonly Known[]>()
  readonly #told = new Map<number, readonly Known[] | undefined>()
  readonly #paid: Spending[]
  /** For columns that are no ratios. */
  readonly #linear: WithinQuestion
  /** What the answer is made of, once it is being bought. */
  readonly #final = new Map<number, PartBought>()
  #isLooking = false
  #stage = 0
  /** ε of the look before. */
  #lastLook = 0

  constructor(statement: Statement, wanted: Within, needs: Needs, session: Session) {
    this.#statement = statement
    this.#wanted = wanted
    this.#needs = needs
    this.#session = session
    this.#confidence = confidenceFor(statement, wanted)
    // The history's bounds, every look's, and how far the denominator's last estimate is off.
    this.#sure = this.#confidenceWith(shares.width / (mostLooks + 2))
    this.#linear = new WithinQuestion(statement, wanted, needs, session)
    this.#paid = statement.parts.map(() => zeroSpending)
    const sureness = { confidence: this.#confidenceWith(shares.purchase), sure: this.#sure }
    this.#laws = needs.ratios.map((goal) => new RatioLaws(goal, statement.parts, sureness, session.book))
  }

  #confidenceWith(share: number): number {
    return 1 - share * (1 - this.#confidence)
  }
  get #bar() {
    return { floor: this.#wanted.floor ?? 0, sure: this.#sure }
  }
  /** What the history says about a part, else what was seen of it; until more is learned, it is asked once. */
  readonly #evidence: Evidence = (part) => {
    if (!this.#told.has(part)) this.#told.set(part, this.#session.knowledge.about(this.#statement.parts[part]!))
    return this.#told.get(part) ?? this.#seen.get(part)
  }

  next(): Step {
    // Others may have bought something since.
    this.#told.clear()
    this.#isLooking = false
    if (this.#final.size > 0) return this.#rest()
    const free = this.#stage === 0 ? this.#free() : undefined
    if (free) return { kind: 'answer', material: free }
    const closing = this.#closing(this.#situations(), 'for')
    const canClose = closing && this.#allows(purchasesOf(closing))
    const look = this.#bestLook()
    if (look && look.total < worthwhile * (canClose ? this.#worth(totalOf(closing)) : Infinity)) {
      this.#isLooking = true
      return { kind: 'buy', parts: look.parts, most: this.#allowance }
    }
    if (canClose) return { kind: 'buy', parts: closing }
    const likely = closing ?? this.#closing(this.#situations({ supposed: () => 0 }), 'about')
    const price = likely && totalOf(likely)
    return { kind: 'refuse', price, error: tooDear(price, this.#spent, this.#wanted, this.#session) }
  }

  learn(bought: readonly PartBought[]): void {
    if (!this.#isLooking) {
      for (const part of bought) this.#final.set(part.part, part)
      return
    }
    for (const look of bought) {
      this.#seen.set(look.part, knownAlone(look.measurement))
      this.#paid[look.part] = addSpending(this.#paid[look.part]!, totalOf([look]))
    }
    this.#stage++
    this.#lastLook = Math.max(this.#lastLook, costOf(totalOf(bought), this.#session.book).epsilon)
  }

  /** The history's answer, where it is precise enough. */
  #free(): Material | undefined {
    const { book, knowledge } = this.#session
    const queries = this.#statement.parts
    const known = queries.map((_, part) => this.#evidence(part))
    if (!known.every((cells) => cells !== undefined)) return undefined
    const parts = known.map((cells) => fromHistory(cells))
    const isTold = this.#needs.parts.every(
      (need, i) => need === Infinity || known[i]!.every((k) => k.posterior().halfWidth(this.#confidence) <= need),
    )
    if (!isTold) return undefined
    const sure = {
      confidence: this.#confidence,
      joint: jointFromHistory(queries, knowledge),
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

  /**
   * The look after which all will have cost least, the last purchase included, if the estimates are right. The first is
   * as cheap as can be, and none is much dearer than the one before: until they are looked at more closely, estimates
   * may be far off. So where they promise nothing, but might be wrong, there is another look as well.
   */
  #bestLook(): { parts: readonly PartChoice[]; total: number } | undefined {
    if (this.#stage === mostLooks) return undefined
    const first = Math.min(firstLook, this.#allowance.epsilon * shareOfLook)
    if (!(first > 0)) return undefined
    const isKnown = this.#lookParts().every((part) => this.#evidence(part) !== undefined)
    const most = growth * (this.#lastLook || (isKnown ? growth * first : first / growth))
    let best: { parts: readonly PartChoice[]; total: number } | undefined
    for (let epsilon = first; isKnown && epsilon <= most; epsilon *= 2) {
      const looks = this.#looks(epsilon)
      if (!isSold(looks)) continue
      const widths = new Map(looks.map(({ part, within }) => [part, within]))
      const closing = this.#closing(this.#situations({ supposed: (part) => widths.get(part) ?? Infinity }), 'about')
      if (!closing || !this.#allows(purchasesOf([...looks, ...closing]))) continue
      const total = this.#worth(totalOf([...looks, ...closing]))
      if (!best || total < best.total) best = { parts: looks, total }
    }
    if (best) return best
    const parts = this.#looks(most)
    const hoped = isKnown ? this.#closing(this.#situations({ hopeful: true }), 'about') : []
    // Several more may follow, and the last purchase.
    const total = growth * this.#worth(totalOf(parts))
    return hoped && isSold(parts) && this.#allows(purchasesOf([...parts, ...hoped])) ? { parts, total } : undefined
  }

  /** What the last purchase has left: ratios are bought at once, refinements of other columns one by one. */
  #rest(): Step {
    const parts = this.#statement.parts.map(
      (query, part) => this.#final.get(part) ?? this.#linear.choiceFor(part, query),
    )
    const missing = parts.filter(({ part }) => !this.#final.has(part))
    if (purchasesOf(missing).length > 0) return { kind: 'buy', parts: missing }
    return { kind: 'answer', material: this.#answered(parts) }
  }

  /** The answer's material, once everything has been bought. */
  #answered(choices: readonly PartChoice[]): Material {
    const { book } = this.#session
    const ratios = this.#parts()
    const parts = choices.map((choice) => {
      const { part } = choice
      const bought = this.#final.get(part)
      if (!ratios.has(part) || !bought) return this.#linear.known(bought ?? choice)
      return fromMeasurement(bought.measurement, addSpending(this.#paid[part]!, totalOf([bought])))
    })
    const reports = choices.map((part, i) => ({
      ...reportOf(part, book),
      epsilon: costOf(parts[i]!.price, book).epsilon,
    }))
    const laws = choices.map(({ query, choice }) => ({
      query,
      law: choice.kind === 'free' ? noNoise : choice.charge.law,
    }))
    const ratioConfidence = this.#confidenceWith(shares.purchase)
    return { kind: 'fresh', parts, reports, joint: jointOfMeasurements(laws), ratioConfidence }
  }

  #situations(supposing: Pick<Bar, 'supposed' | 'hopeful'> = {}): Situation[] {
    return this.#needs.ratios.map((goal) => situationOf(goal, this.#evidence, { ...this.#bar, ...supposing }))
  }

  /** The parts of ratios. */
  #parts(): Set<number> {
    return new Set(this.#needs.ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part]))
  }

  /** What would be bought last in these situations, exactly or about; undefined where there is no price. */
  #closing(situations: readonly Situation[], how: 'for' | 'about'): PartChoice[] | undefined {
    const { book } = this.#session
    const charges = new Map<number, AnswerCharge>()
    const need = (part: number, charge: AnswerCharge) => {
      const other = charges.get(part)
      const sold = { ...charge, law: sellable(charge.law, book) }
      if (!other || spreadOf(sold.law) < spreadOf(other.law)) charges.set(part, sold)
    }
    for (const [i, goal] of this.#needs.ratios.entries()) {
      const pair = this.#laws[i]![how](situations[i]!)
      if (!pair) return undefined
      need(goal.ratio.numerator.part, pair[0])
      need(goal.ratio.denominator.part, pair[1])
    }
    // So little noise is not for sale.
    if (charges.values().some(({ law }) => !isInNoiseRange(law))) return undefined
    const ratios = this.#parts()
    return this.#statement.parts.map((query, part): PartChoice => {
      if (!ratios.has(part)) return this.#linear.choiceFor(part, query)
      const within = this.#needs.parts[part]!
      if (within < Infinity) need(part, fresh(query, { confidence: this.#confidence, within }, book).charge)
      return this.#bought(part, charges.get(part)!)
    })
  }

  #bought(part: number, charge: AnswerCharge, price = priceOf(charge, this.#session.book)): PartChoice {
    const within = halfWidth(charge, this.#confidence)
    return { part, query: charge.query, choice: { kind: 'fresh', charge, price }, within }
  }

  /** Denominators; and numerators of ratios that are not bounded by the policy. */
  #lookParts(): number[] {
    const parts = this.#needs.ratios.flatMap((goal) =>
      isBounded(goal) ? [goal.ratio.denominator.part] : [goal.ratio.denominator.part, goal.ratio.numerator.part],
    )
    return [...new Set(parts)]
  }

  #looks(epsilon: number): PartChoice[] {
    const { book } = this.#session
    const wanted = this.#lookParts()
    const queries = wanted.map((part) => this.#statement.parts[part]!)
    const priced = priceParts({ parts: queries }, fromNumber(Number(epsilon.toPrecision(3))), book)
    return wanted.map((part, i) => {
      const { charge, price } = this.#blurred(part, { charge: chargeOf(priced[i]!), price: priced[i]!.price })
      return { ...this.#bought(part, charge, price), within: halfWidth(charge, this.#sure) }
    })
  }
  /** No more precise than it takes to tell an empty group from one at the floor. */
  #blurred(part: number, look: Pick<Purchase, 'charge' | 'price'>): Pick<Purchase, 'charge' | 'price'> {
    const { floor } = this.#bar
    const goal = this.#needs.ratios.find(({ ratio }) => ratio.denominator.part === part)
    if (floor === 0 || !goal || look.charge.law.kind === 'none') return look
    const within = floor / 1.5 / Math.abs(goal.ratio.denominator.times)
    const enough = fresh(look.charge.query, { within, confidence: this.#sure }, this.#session.book)
    return spreadOf(enough.charge.law) > spreadOf(look.charge.law) ? enough : look
  }

  /** For looks, so far. */
  get #spent(): Spending {
    return this.#paid.reduce(addSpending, zeroSpending)
  }
  #allows(purchases: readonly { charge: AnswerCharge; price: Spending }[]): boolean {
    const { book, quota } = this.#session
    return (
      this.#fits(purchases.map(({ price }) => price).reduce(addSpending, zeroSpending)) &&
      isAffordable(
        purchases.map(({ charge }) => charge),
        book,
        quota,
      )
    )
  }
  /** Whether whoever asks allows it, with what has been spent already. */
  #fits(price: Spending): boolean {
    const { epsilon } = costOf(addSpending(this.#spent, price), this.#session.book)
    return epsilon <= (this.#wanted.maxEpsilon ?? Infinity)
  }
  /** The most that may be spent. */
  get #allowance(): Cost {
    const { book, quota } = this.#session
    const left = leftToAsk(book, quota)
    return { ...left, epsilon: Math.min(left.epsilon, this.#wanted.maxEpsilon ?? Infinity) }
  }
  /** In the currency that purchases are made in. */
  #worth({ epsilon, rho }: Spending): number {
    return this.#session.book.cap.rho === null ? epsilon : rho
  }
}

const noNoise: NoiseLaw = { kind: 'none' }
const isSold = (looks: readonly PartChoice[]): boolean =>
  purchasesOf(looks).every(({ charge }) => isInNoiseRange(charge.law))

function tooDear(
  price: Spending | undefined,
  paid: Spending,
  { maxEpsilon }: Within,
  { book, quota }: Session,
): ReticentError {
  const asked = price && costOf(price, book).epsilon
  const spent = costOf(paid, book).epsilon
  const left = Math.min(leftToAsk(book, quota).epsilon, (maxEpsilon ?? Number.POSITIVE_INFINITY) - spent)
  return new ReticentError(
    'budget-exceeded',
    { ...(asked === undefined ? {} : { asked }), left, spent },
    {
      message:
        asked === undefined
          ? `there may be too few records for this precision: ε = ${left} may be spent, and even that might not be enough`
          : `as far as is known about the numbers of records, this precision costs ε = ${asked}, and ${left} may be spent`,
      detail: spent > 0 ? `To find out, ε = ${spent} was spent; what it told is in the history.` : undefined,
      hint: 'Ask for less precision; with --floor F, ratios over fewer than F records need not be so precise.',
    },
  )
}
