import { describe, type LinearQuery, type Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { affineOf } from '../column/affine.ts'
import type { Material } from '../compose.ts'
import type { Known } from '../known/known.ts'
import { fromHistory, fromMeasurement, type KnownPart } from '../known/known-part.ts'
import { totalOf } from '../price/choice.ts'
import { costOf } from '../price/cost.ts'
import { fresh } from '../price/fresh.ts'
import { partCost } from '../price/part-report.ts'
import { scaleOf } from '../price/priced-part.ts'
import { checkRange, widthsOf } from '../price/range.ts'
import { ownAnswer } from '../price/same-query.ts'
import type { Relative } from '../requirement.ts'
import type { Session } from '../session.ts'
import type { PartBought, PartChoice, Question, Step } from './question.ts'

/**
 * The exact number with a relative error, in at most two purchases: the number within ± floor, which is a lower bound
 * and for a large number all that is needed; else the number again, as precisely as the bound says that it must be.
 * The answer is the last purchase alone, so that choosing its noise by the first tells nothing about its error.
 */
export class RelativeQuestion implements Question {
  readonly #session: Session
  readonly #relative: number
  readonly #query: LinearQuery
  /** In the part's units. */
  readonly #floor: number
  /**
   * Three intervals must hold: the history's, a first purchase's, and the second's. Which of them becomes the answer is
   * decided by what they say, so each is allowed a third of the doubt.
   */
  readonly #confidence: number
  /** The half-width of the noisiest purchase. */
  readonly #widest: number
  readonly #bought: PartBought[] = []
  /** What the history said when the last step was planned. */
  #bound = Number.NEGATIVE_INFINITY

  constructor(statement: Statement, wanted: Relative, session: Session) {
    const { query, times } = targetOf(statement)
    this.#session = session
    this.#relative = wanted.relative
    this.#query = query
    this.#floor = wanted.floor / times
    this.#confidence = 1 - (1 - wanted.confidence) / 3
    const widths = widthsOf(query, times, this.#confidence, session.book)
    checkRange('the floor', wanted.floor, widths)
    checkRange('the relative precision at the floor', wanted.relative * wanted.floor, widths)
    this.#widest = widths.most / times
  }

  next(): Step {
    const [first, second] = this.#bought
    if (second) return this.#answer('fresh', fromMeasurement(second.measurement, totalOf([first!, second])), second)
    if (first) return this.#afterFirst(first)
    const known = this.#narrowest()
    const half = known ? this.#halfOf(known) : Infinity
    if (known && this.#isEnough(known.estimate, half)) return this.#answer('free', fromHistory([known]))
    this.#bound = known ? known.estimate - half : Number.NEGATIVE_INFINITY
    const [opening, closing] = [this.#purchase(this.#floor), this.#purchase(this.#goal(this.#bound))]
    // A first look is bought where it may save more than it costs.
    const pays = 2 * this.#epsilonOf(opening) <= this.#epsilonOf(closing)
    return pays ? { kind: 'buy', parts: [opening], later: [closing] } : { kind: 'buy', parts: [closing] }
  }

  learn(bought: readonly PartBought[]): void {
    this.#bought.push(...bought)
  }

  sofar(): Material | undefined {
    const [first] = this.#bought
    if (!first) return undefined
    const step = this.#answer('fresh', fromMeasurement(first.measurement, totalOf([first])), first)
    return step.kind === 'answer' ? step.material : undefined
  }

  /** What was bought first was within ± floor, or all that was needed. */
  #afterFirst(first: PartBought): Step {
    const found = fromMeasurement(first.measurement, totalOf([first]))
    const [estimate] = found.values
    if (first.within !== this.#floor || this.#isEnough(estimate!, this.#floor))
      return this.#answer('fresh', found, first)
    const bound = Math.max(this.#bound, estimate! - this.#floor)
    return { kind: 'buy', parts: [this.#purchase(this.#goal(bound))] }
  }

  #answer(kind: Material['kind'], known: KnownPart, last?: PartChoice): Step {
    const { book } = this.#session
    const report = {
      description: describe(this.#query, book.universe),
      ...partCost(known.price, book),
      scale: last && last.choice.kind !== 'free' ? scaleOf(last.choice.charge) : 0,
    }
    const material = { kind, parts: [known], reports: [report], confidence: this.#confidence }
    return { kind: 'answer', material }
  }

  /** Is an estimate that lies within ± half of the number precise enough? Then the number is no less than its lower end. */
  #isEnough(estimate: number, half: number): boolean {
    return half <= this.#relative * Math.max(estimate - half, this.#floor)
  }
  /**
   * How precise the number must be, given a lower bound on it: so precise that an estimate no smaller than the bound is
   * enough. Asked again, it will be free.
   */
  #goal(bound: number): number {
    return Math.min(this.#relative * Math.max(bound / (1 + this.#relative), this.#floor), this.#widest)
  }
  /** What tells most about the number at no cost. */
  #narrowest(): Known | undefined {
    const { book, knowledge } = this.#session
    const told = [knowledge.about(this.#query), ownAnswer(this.#query, book)].flatMap((all) => all ?? [])
    return told.sort((a, b) => this.#halfOf(a) - this.#halfOf(b))[0]
  }
  #halfOf(known: Known): number {
    return known.errorLaw().halfWidth(this.#confidence)
  }
  #purchase(within: number): PartChoice {
    const choice = fresh(this.#query, { within, confidence: this.#confidence }, this.#session.book)
    return { part: 0, query: this.#query, choice, within }
  }
  #epsilonOf(part: PartChoice): number {
    return costOf(totalOf([part]), this.#session.book).epsilon
  }
}

/** One number that is a positive multiple of one part. */
function targetOf({ axes, parts, columns }: Statement): { query: LinearQuery; times: number } {
  const [column, ...others] = columns
  const affine = column?.kind === 'value' ? affineOf(column.expression) : undefined
  const plain = axes.length === 0 && parts.length === 1 && others.length === 0
  if (plain && affine?.part !== undefined && affine.times > 0 && affine.offset === 0)
    return { query: parts[affine.part]!, times: affine.times }
  throw problem(
    'not-supported',
    'a relative precision works for a single count or sum without GROUP BY',
    'Ask with --within W, or with --epsilon E.',
  )
}
