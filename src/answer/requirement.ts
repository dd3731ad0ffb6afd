import type { Rational } from '../numeric/index.ts'
import type { Asked } from './answer.ts'

/** A question that must not cost more than this. */
interface Capped {
  readonly maxEpsilon?: number
}

/** From earlier answers alone. */
export interface Free extends Asked {
  readonly kind: 'free'
}
/** As precise as a price makes it. */
export interface Priced extends Asked {
  readonly kind: 'price'
  /** The whole statement's price. */
  readonly epsilon: Rational
}
/** As cheap as a precision allows. */
export interface Within extends Asked, Capped {
  readonly kind: 'within'
  /** Half the width of the interval that is wanted, in the data's own units. */
  readonly within: number
  /** Ratios whose denominator is smaller than this need not be so precise. */
  readonly floor?: number
}
/** Within ± relative·max(the exact number, floor). */
export interface Relative extends Asked, Capped {
  readonly kind: 'relative'
  readonly relative: number
  readonly floor: number
}

/** What is asked of an answer. */
export type Requirement = Free | Priced | Within | Relative
