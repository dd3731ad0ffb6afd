import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import type { Units } from './units.ts'

/** What the world gets to see of the data, and how blurred: the parameters that a charge follows from. */
export interface Charge {
  readonly query: LinearQuery
  readonly law: NoiseLaw
  /** A refinement: the law of the answer that it sharpens, which has been paid for. */
  readonly paid?: NoiseLaw
}

/**
 * The privacy cost of everything charged so far: a bound, certainly not below the true worst cell's, in the policy's
 * own relation and unit. Deterministic: the same calls in the same order give the same bounds.
 */
export interface Account {
  /** The current bound. It may fall when a later check has worked harder. */
  spent(): Units
  /**
   * The bound if these were charged too. Works only as hard as it takes to get to `cap` or below; Infinity is possible.
   * What it learned on the way is kept, so `spent` may fall; it never rises.
   */
  with(charges: readonly Charge[], cap: Units): Units
  /** Charges them. */
  add(charges: readonly Charge[]): void
  /** What a record has paid in a cell that can be shown: no bound on these charges is below it. */
  exhibit(): Units
}
