import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Bought, Meter } from '../meter.ts'

/** How noise is shared out between the marginals (iReduct paper: Dwork et al., §3.2, §4, Appendix A). */
export type Method = 'laplace' | 'two-phase' | 'ireduct' | 'iresamp'

/** Which marginals to measure, and what for. */
export interface MarginalsRequest {
  /** The attributes of each. */
  readonly marginals: readonly (readonly string[])[]
  readonly method: Method
  /** For everything, the number of records included where that is bought. */
  readonly epsilon: Rational
  /** The sanity bound δ of relative errors: a count below it is judged as if it were so large. */
  readonly floor: Floor
  /** The number of records: public, known from before, bought with this share of ε, or of no use here. */
  readonly records: Records
  /** Of two-phase: the share of ε for the first phase. 0.07 where every marginal has one attribute, else 0.025. */
  readonly firstShare?: Rational
  /** Of ireduct and iresamp: the scale that all start from (λmax), as a share of the number of records. 1/10 */
  readonly startShare?: Rational
  /** Of ireduct: by how much a scale is lowered at a time (λΔ), as a share of the number of records. 1/10^6 */
  readonly stepShare?: Rational
  /** Of ireduct: to take every noisy count at its word when scales are chosen, as the paper does. */
  readonly asPrinted?: boolean
}
export type Floor =
  | { readonly kind: 'count'; readonly count: number }
  /** Of the number of records. */
  | { readonly kind: 'share'; readonly share: number }
export type Records =
  | { readonly kind: 'known'; readonly count: number }
  | { readonly kind: 'bought'; readonly share: Rational }
  /** Neither the method nor the floor asks for it. */
  | { readonly kind: 'unneeded' }

/** What a release works with. */
export interface MarginalsContext<Receipt extends Bought = Bought> {
  readonly universe: Universe
  readonly meter: Meter<Receipt>
  /** The scale, in steps, at which a query by itself costs ε = 1: the policy's relation and unit are in it. */
  readonly unitScale: (query: LinearQuery) => Rational
  /** From 0 to 1; by public values alone. */
  readonly progress?: (share: number) => void
  /** When aborted, the method stops at its next step, closes what is open, and throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** One marginal as the method measured it. */
export interface MeasuredMarginal {
  readonly attributes: readonly string[]
  readonly query: LinearQuery
  /** The method's own estimate of each cell, the last attribute running fastest. */
  readonly values: Float64Array
  /** Of the noise in each cell: that of a Laplace law of the same variance where several answers were combined. */
  readonly scale: number
  /** Of `values`. */
  readonly variance: number
  /** What it cost by itself. */
  readonly epsilon: number
  /** Whether a guard said no to less noise than it has: by queries and scales alone. */
  readonly heldBack: boolean
}

export interface MeasuredMarginals<Receipt extends Bought = Bought> {
  readonly marginals: readonly MeasuredMarginal[]
  /** The number of records that was reckoned with, if any, and the sanity bound. */
  readonly records?: number
  readonly floor: number
  /** What was bought, in order. */
  readonly receipts: readonly Receipt[]
}
