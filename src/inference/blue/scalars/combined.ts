import type { Combination } from '../marginals/marginal-weights.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'

/** An estimate in steps of the question, and the weight of every scalar answer in it. */
export interface Combined {
  readonly estimate: number
  /** How far rounding may have moved the estimate. */
  readonly rounding: number
  readonly variance: number
  /** Whether it is from answers with corners of their own alone: nothing else could tell more. */
  readonly isFinal?: boolean
  /** Whether it is one answer's, as the others could not be combined. */
  readonly isSingle?: boolean
  /** As in `Shares`. */
  readonly largest: number
  readonly excess: number
  readonly deviations: number
  readonly answers: readonly { readonly answer: ScalarAnswer; readonly times: number }[]
  /** The same object for estimates whose errors have the same law, and that are made of the same measurements. */
  readonly alike?: object
  /** The question less the answers' queries, so weighted: what is left to the marginals. */
  readonly rest: () => Combination
}
