import { fromNumber, toldDown, toldUp } from '../../numeric/index.ts'
import { problem, type ReticentError } from '../../schema/index.ts'
import {
  addSpending,
  epsilonOfRho,
  rhoCap,
  type Spending,
  sumSpending,
  unitsToNumber,
  unitsToRational,
  zeroSpending,
} from '../../trusted/accounting/index.ts'
import { isAffordable, leftToAsk } from '../price/budget.ts'
import { purchasesOf, totalOf } from '../price/choice.ts'
import { type Cost, costOf } from '../price/cost.ts'
import type { PartChoice } from '../question/question.ts'
import type { RatioContext } from './context.ts'

/** Looks together cost at most this share of what may be spent: they may end in a refusal. */
const mostForLooks = 1 / 10

/** What has been spent on a ratio, and what may still be spent. */
export class Allowance {
  readonly #context: RatioContext
  readonly #paid: Spending[]
  /** The most that could be spent before the first look, in the currency that counts. */
  #atFirst: number | undefined

  constructor(context: RatioContext) {
    this.#context = context
    this.#paid = context.statement.parts.map(() => zeroSpending)
  }

  /** What was spent on this part. */
  paid(part: number): Spending {
    return this.#paid[part]!
  }
  pay(looks: readonly PartChoice[]): void {
    for (const look of looks) this.#paid[look.part] = addSpending(this.paid(look.part), totalOf([look]))
  }

  /** Whether the budgets and the asker's limit allow these purchases, on top of what has been spent. */
  allows(parts: readonly PartChoice[]): boolean {
    const { book, quota } = this.#context.session
    const { epsilon } = this.#costWith(parts)
    const charges = purchasesOf(parts).map(({ charge }) => charge)
    return epsilon <= this.#limit && isAffordable(charges, book, quota)
  }

  /** Whether all looks together stay cheap with this one. With a δ that is counted in ρ, of which a tenth is a third of ε. */
  allowsLook(parts: readonly PartChoice[]): boolean {
    this.#atFirst ??= counted(this.most)
    return counted(this.#costWith(parts)) <= mostForLooks * this.#atFirst
  }

  /** What looks have cost together with these purchases. */
  #costWith(parts: readonly PartChoice[]): Cost {
    return costOf(addSpending(sumSpending(this.#paid), totalOf(parts)), this.#context.session.book)
  }

  /** The most that may be spent. */
  get most(): Cost {
    const { book, quota } = this.#context.session
    const left = leftToAsk(book, quota)
    if (left.epsilon <= this.#limit) return left
    const limit = { ...left, epsilon: this.#limit }
    if (left.rho === undefined) return limit
    return { ...limit, rho: unitsToNumber(rhoCap(fromNumber(this.#limit), book.terms.delta)) }
  }

  /** The refusal of a question that would cost this much; undefined if no price is known. */
  exceeded(price: Spending | undefined): ReticentError {
    const { book, quota } = this.#context.session
    const cost = price && costOf(price, book).epsilon
    const spent = costOf(sumSpending(this.#paid), book).epsilon
    const left = Math.min(leftToAsk(book, quota).epsilon, this.#limit - spent)
    // A likely price that could be paid is no reason: it is not certain enough, and more looks would cost too much.
    const asked = cost !== undefined && Number.isFinite(cost) && cost > left ? cost : undefined
    return problem(
      'budget-exceeded',
      asked === undefined
        ? `this precision may cost more than the ε = ${toldDown(left)} that can be spent: there may be too few records`
        : `from what is known about the numbers of records, this precision costs about ε = ${toldUp(asked)}, but only ${toldDown(left)} can be spent`,
      'Ask for less precision. With --floor F, ratios over fewer than F records may be less precise.',
      { ...(asked === undefined ? {} : { asked }), left, spent },
    )
  }

  /** A limit other than the budget's: the best that it buys is bought. */
  get #limit(): number {
    return Math.min(this.#context.wanted.maxEpsilon ?? Infinity, this.#forecast)
  }
  get hasLimit(): boolean {
    return this.#limit < Infinity
  }
  /** No more than was forecast is ever spent. */
  forecast(most: number): void {
    this.#forecast = most
  }
  #forecast = Infinity

  /** What the limit leaves; undefined if that is nothing, or there is no limit. */
  get rest(): number | undefined {
    const { book } = this.#context.session
    const paid = sumSpending(this.#paid)
    if (!this.hasLimit) return undefined
    if (book.cap.rho === null) return positive(this.#limit - costOf(paid, book).epsilon)
    // What is left in ρ, as the ε that it comes to by itself.
    const { delta } = book.terms
    const units = rhoCap(fromNumber(this.#limit), delta) - paid.rho
    return units > 0 ? epsilonOfRho(unitsToRational(units), delta) : undefined
  }
}

const positive = (x: number): number | undefined => (x > 0 ? x : undefined)

/** The currency that counts: ρ, or ε where the policy has no δ. */
const counted = ({ epsilon, rho }: Cost): number => rho ?? epsilon
