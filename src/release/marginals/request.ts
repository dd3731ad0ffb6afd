import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Bought, Held, Meter } from '../meter.ts'

/** Which marginals to measure and at which price, without the method. */
export interface Wanted {
  /** The attributes of each. */
  readonly marginals: readonly (readonly string[])[]
  /** For everything, including the number of records if that is bought. With ε noise is Laplace, with ρ Gaussian. */
  readonly budget: Held
  /** The floor of relative errors: the error of a smaller count is taken relative to it. */
  readonly floor: Floor
  /** The number of records: public, already known, bought with this share of the budget, or not needed. */
  readonly records: Records
  /** Of laplace and gaussian: how the budget is divided, a number per marginal. Without it all have the same noise. */
  readonly weights?: readonly number[]
  /**
   * Of two-phase: the share of the budget for the first phase. With Laplace noise 0.07 where every marginal has one
   * attribute, else 0.025; with Gaussian noise 0.25.
   */
  readonly firstShare?: Rational
  /** Of ireduct and iresamp: the scale that all start from (λmax), as a share of the number of records. 1/10 */
  readonly startShare?: Rational
  /** Of ireduct: by how much a scale is lowered at a time (λΔ), as a share of the number of records. 1/10^6 */
  readonly stepShare?: Rational
  /** For ireduct: take every noisy count at face value when choosing scales, as in the paper. */
  readonly asPrinted?: boolean
}
export type Floor =
  | { readonly kind: 'count'; readonly count: number }
  /** Of the number of records, but no less than a number where one is given. */
  | { readonly kind: 'share'; readonly share: number; readonly least?: number }
export type Records =
  | { readonly kind: 'known'; readonly count: number }
  | { readonly kind: 'bought'; readonly share: Rational }
  /** Neither the method nor the floor asks for it. */
  | { readonly kind: 'unneeded' }

/** What a release works with. */
export interface MarginalsContext<Receipt extends Bought = Bought> {
  readonly universe: Universe
  readonly meter: Meter<Receipt>
  /**
   * The noise at which a query by itself costs 1 of the budget's currency, in steps: Laplace's scale under ε, the Gaussian
   * variance under ρ. The policy's relation and unit are in it.
   */
  readonly unitNoise: (query: LinearQuery) => Rational
  /** From 0 to 1; by public values alone. */
  readonly progress?: (share: number) => void
  /** When aborted, the method stops at its next step, closes what is open, and throws `interrupted`. */
  readonly signal?: AbortSignal
}
