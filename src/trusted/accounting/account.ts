import type { Charge } from './charge.ts'
import type { Units } from './units.ts'

/**
 * The privacy cost of everything charged so far: a bound, certainly not below what any record has paid, in the policy's
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
