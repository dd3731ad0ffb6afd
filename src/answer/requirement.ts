import type { Rational } from '../numeric/index.ts'
import type { Asked } from './answer.ts'

/** A question that must not cost more than this. */
interface Capped {
  readonly maxEpsilon?: number
}

/** From earlier answers alone. */
interface Free extends Asked {
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
  /** The requested half-width of the interval, in the data's own units. */
  readonly within: number
  /** Ratios with a smaller denominator than this may be less precise. */
  readonly floor?: number
}
/** Within ± relative·max(the exact number, floor). */
export interface Relative extends Asked, Capped {
  readonly kind: 'relative'
  readonly relative: number
  readonly floor: number
}

/** What an answer must satisfy. */
export type Requirement = Free | Priced | Within | Relative
