import { isInNoiseRange } from '../../query/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'
import { halfWidth } from '../column/interval.ts'
import { priceOf } from '../price/cost.ts'
import { fresh } from '../price/fresh.ts'
import { sellable, spreadOf } from '../price/range.ts'
import type { PartChoice } from '../question/question.ts'
import type { WithinQuestion } from '../question/within.ts'
import { type RatioContext, ratioParts } from './context.ts'
import { RatioLaws, type Situation } from './laws.ts'

/** The purchase that an answer is made of, by what is known about the sizes of its parts. */
export class Closing {
  readonly #context: RatioContext
  readonly #laws: readonly RatioLaws[]
  /** For columns that are no ratios. */
  readonly #linear: WithinQuestion

  constructor(context: RatioContext, linear: WithinQuestion) {
    const { needs, statement, confidence, session } = context
    this.#context = context
    this.#linear = linear
    const sureness = { confidence: confidence.purchase, sure: confidence.size }
    this.#laws = needs.ratios.map((goal) => new RatioLaws(goal, statement.parts, sureness, session.book))
  }

  /** What would be bought in these situations, exactly or about; undefined where there is no price. */
  in(situations: readonly Situation[], how: 'for' | 'about'): PartChoice[] | undefined {
    const { statement, needs } = this.#context
    const charges = this.#charges(situations, how)
    if (!charges) return undefined
    const ratios = ratioParts(needs)
    return statement.parts.map((query, part) =>
      ratios.has(part) ? this.#purchase(part, charges.get(part)!) : this.#linear.choiceFor(part, query),
    )
  }

  /** The least noise that any column needs of each part of a ratio. */
  #charges(situations: readonly Situation[], how: 'for' | 'about'): Map<number, AnswerCharge> | undefined {
    const { needs, statement, confidence, session } = this.#context
    const charges = new Map<number, AnswerCharge>()
    const need = (part: number, charge: AnswerCharge) => {
      const other = charges.get(part)
      const sold = { ...charge, law: sellable(charge.law, session.book) }
      if (!other || spreadOf(sold.law) < spreadOf(other.law)) charges.set(part, sold)
    }
    for (const [i, { ratio }] of needs.ratios.entries()) {
      const pair = this.#laws[i]![how](situations[i]!)
      if (!pair) return undefined
      need(ratio.numerator.part, pair[0])
      need(ratio.denominator.part, pair[1])
    }
    for (const part of charges.keys()) {
      const precision = { confidence: confidence.other, within: needs.parts[part]! }
      if (precision.within < Infinity) need(part, fresh(statement.parts[part]!, precision, session.book).charge)
    }
    // So little noise is not for sale.
    return charges.values().every(({ law }) => isInNoiseRange(law)) ? charges : undefined
  }

  #purchase(part: number, charge: AnswerCharge): PartChoice {
    const { confidence, session } = this.#context
    const choice = { kind: 'fresh', charge, price: priceOf(charge, session.book) } as const
    return { part, query: charge.query, choice, within: halfWidth(charge, confidence.other) }
  }
}
