import { evaluate, type NoiseLaw, type Statement } from '../../query/index.ts'
import { addSpending } from '../../trusted/accounting/index.ts'
import { boundsIn, estimate } from '../column/columns.ts'
import type { Material } from '../compose.ts'
import { jointFromHistory, jointOfMeasurements } from '../known/joint.ts'
import { fromHistory, fromMeasurement } from '../known/known-part.ts'
import { purchasesOf, totalOf } from '../price/choice.ts'
import type { Needs } from '../price/needs.ts'
import { partCost, reportOf } from '../price/part-report.ts'
import type { PartBought, PartChoice, Question, Step } from '../question/question.ts'
import { WithinQuestion } from '../question/within.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'
import { Allowance } from './allowance.ts'
import { Closing } from './closing.ts'
import { type RatioContext, ratioContext, ratioParts } from './context.ts'
import { Looks } from './looks.ts'
import { Sizes } from './sizes.ts'

/** Another look must be expected to save this much. */
const worthwhile = 0.95
const noNoise: NoiseLaw = { kind: 'none' }

/**
 * Ratios within ± `within`: free where the history is precise enough, else from a purchase made for it and used alone,
 * after at most a few cheap ones that tell how large the denominators are.
 */
export class RatioQuestion implements Question {
  readonly #context: RatioContext
  /** For columns that are no ratios. */
  readonly #linear: WithinQuestion
  readonly #sizes: Sizes
  readonly #allowance: Allowance
  readonly #closing: Closing
  readonly #looks: Looks
  /** What the answer is made of, once it is being bought. */
  readonly #final = new Map<number, PartBought>()
  #isLooking = false

  constructor(statement: Statement, wanted: Within, needs: Needs, session: Session) {
    const context = ratioContext(statement, wanted, { needs, session })
    this.#context = context
    this.#linear = new WithinQuestion(statement, wanted, needs, session)
    this.#sizes = new Sizes(context)
    this.#allowance = new Allowance(context)
    this.#closing = new Closing(context, this.#linear)
    this.#looks = new Looks(context, { sizes: this.#sizes, closing: this.#closing, allowance: this.#allowance })
  }

  next(): Step {
    this.#sizes.historyMayHaveGrown()
    this.#isLooking = false
    if (this.#final.size > 0) return this.#rest()
    const free = this.#looks.taken === 0 ? this.#free() : undefined
    return free ? { kind: 'answer', material: free } : this.#purchase()
  }

  learn(bought: readonly PartBought[]): void {
    if (!this.#isLooking) {
      for (const part of bought) this.#final.set(part.part, part)
      return
    }
    this.#sizes.see(bought)
    this.#allowance.pay(bought)
    this.#looks.take(bought)
  }

  /** The history's answer, where it is precise enough. */
  #free(): Material | undefined {
    const { statement, needs, session, confidence } = this.#context
    const queries = statement.parts
    const known = queries.map((_, part) => this.#sizes.known(part))
    if (!known.every((cells) => cells !== undefined)) return undefined
    const isTold = needs.parts.every(
      (need, i) => need === Infinity || known[i]!.every((k) => k.posterior().halfWidth(confidence.other) <= need),
    )
    if (!isTold) return undefined
    const parts = known.map((cells) => fromHistory(cells))
    const reports = queries.map((query) => reportOf({ query, choice: { kind: 'free', known: [] } }, session.book))
    const joint = jointFromHistory(queries, session.knowledge)
    const material = { kind: 'free', parts, reports, joint, ratioConfidence: confidence.history } as const
    return this.#isEnough(material) ? material : undefined
  }

  /** Whether all ratios over more than the floor are as narrow as was asked. */
  #isEnough({ parts, joint, ratioConfidence }: Material): boolean {
    const { wanted, needs, confidence } = this.#context
    return needs.ratios.every((goal) => {
      const bounds = boundsIn(goal.expression, parts, { confidence: confidence.other, joint, ratioConfidence })
      return this.#sizes.needed(goal).every((isNeeded, group) => {
        if (!isNeeded) return true
        const values = parts.map((part) => part.values[group]!)
        const { within } = estimate(evaluate(goal.expression, values), bounds(group))
        return within !== null && within <= wanted.within
      })
    })
  }

  /** A look, or the last purchase: whichever is expected to come cheaper in the end. */
  #purchase(): Step {
    const closing = this.#closing.in(this.#sizes.situations(), 'for')
    const canClose = closing && this.#allowance.allows(closing)
    const look = this.#looks.best()
    if (look && look.total < worthwhile * (canClose ? this.#allowance.worth(closing) : Infinity)) {
      this.#isLooking = true
      return { kind: 'buy', parts: look.parts, most: this.#allowance.most }
    }
    if (canClose) return { kind: 'buy', parts: closing }
    const likely = closing ?? this.#closing.in(this.#sizes.situations({ supposed: () => 0 }), 'about')
    const price = likely && totalOf(likely)
    return { kind: 'refuse', price, error: this.#allowance.exceeded(price) }
  }

  /** What the last purchase has left: ratios are bought at once, refinements of other columns one by one. */
  #rest(): Step {
    const parts = this.#context.statement.parts.map(
      (query, part) => this.#final.get(part) ?? this.#linear.choiceFor(part, query),
    )
    const missing = parts.filter(({ part }) => !this.#final.has(part))
    if (purchasesOf(missing).length > 0) return { kind: 'buy', parts: missing }
    return { kind: 'answer', material: this.#answered(parts) }
  }

  /** The answer's material, once everything has been bought. */
  #answered(choices: readonly PartChoice[]): Material {
    const { session, needs, confidence } = this.#context
    const ratios = ratioParts(needs)
    const parts = choices.map((choice) => {
      const bought = this.#final.get(choice.part)
      if (!ratios.has(choice.part) || !bought) return this.#linear.known(bought ?? choice)
      return fromMeasurement(bought.measurement, addSpending(this.#allowance.paid(choice.part), totalOf([bought])))
    })
    const reports = choices.map((part, i) => ({
      ...reportOf(part, session.book),
      ...partCost(parts[i]!.price, session.book),
    }))
    const laws = choices.map(({ query, choice }) => ({
      query,
      law: choice.kind === 'free' ? noNoise : choice.charge.law,
    }))
    return { kind: 'fresh', parts, reports, joint: jointOfMeasurements(laws), ratioConfidence: confidence.purchase }
  }
}
