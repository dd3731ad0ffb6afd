import type { LinearQuery, Measurement } from '../../query/index.ts'
import type { ReticentError } from '../../schema/index.ts'
import type { Spending } from '../../trusted/accounting/index.ts'
import type { Material } from '../compose.ts'
import type { Choice } from '../price/choice.ts'
import type { Cost } from '../price/cost.ts'

/** How one part of a statement is to be answered. */
export interface PartChoice {
  readonly part: number
  readonly query: LinearQuery
  readonly choice: Choice
  /** Half the width of its interval, in the data's units. */
  readonly within: number
}

/** What to do next. */
export type Step =
  | { readonly kind: 'answer'; readonly material: Material }
  | {
      readonly kind: 'buy'
      readonly parts: readonly PartChoice[]
      /** What has to be bought after it, at most, where that depends on what this tells. */
      readonly later?: readonly PartChoice[]
      /** The most that all steps from this one on may cost, where what comes later is not known yet. */
      readonly most?: Cost
      /** The least, and what is likely, where that is known. */
      readonly least?: Cost
      readonly likely?: Cost
      /** About what it costs for 1,000 records, where their number is not known. */
      readonly forThousand?: Cost
      /** What the answer will leave out, in words. */
      readonly notes?: readonly string[]
    }
  | { readonly kind: 'refuse'; readonly error: ReticentError; readonly price?: Spending }

/** A part that was bought. */
export interface PartBought extends PartChoice {
  readonly measurement: Measurement
}

/** A statement and what is asked of its answer, on the way there. */
export interface Question {
  /** From the policy, the ledger as it now stands, and what was bought for this question before. */
  next(): Step
  /** Takes in what was bought of the last step: all of it, or some. */
  learn(bought: readonly PartBought[]): void
  /** The answer that was bought so far, where the rest may not be: less precise than was asked. */
  sofar?(): Material | undefined
  /** Goes on with what this ε buys, where the precision that was asked for would cost more. False where it cannot. */
  spend?(epsilon: number): boolean
}
