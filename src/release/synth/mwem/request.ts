import type { FittedModel } from '../../../model/index.ts'
import type { Rational } from '../../../numeric/index.ts'
import type { QueryList } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { SynthRequest } from '../method.ts'

/** How MWEM is to go about it. */
export interface MwemRequest extends SynthRequest {
  /** The workload: what the model is to answer well, and what is chosen among. */
  readonly queries: QueryList
  /** So many; by doubling the price of a round as the signal fades; or, unless said, chosen from public numbers. */
  readonly rounds?: number | 'adaptive'
  /**
   * The share of the budget that buys a noisy count of every cell to start from. Unless said, that is all of it where this tells
   * the workload better than rounds would, and else nothing.
   */
  readonly startShare?: Rational
  /** How a dense model fits and what of it is handed out (model/dense/dense-model.ts). */
  readonly fitting?: 'once' | 'replay' | 'smooth'
  readonly output?: 'last' | 'average'
  /** The model to improve; unless given one that is held cell by cell or, where that is too large, in parts. */
  readonly model?: (universe: Universe, records: number) => FittedModel
}
