import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import type { Units } from './units.ts'

/** What the world gets to see of the data, and how blurred: the parameters that a charge follows from. */
export interface Charge {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}

/**
 * The privacy cost of everything charged so far: a bound, certainly not below the true worst cell's, in the policy's
 * own relation and unit. Deterministic: the same charges in the same order give the same bounds.
 */
export interface Account {
  /** The current bound. It may fall when a later check has worked harder. */
  spent(): Units
  /**
   * The bound if these were charged too. Works only as hard as it takes to get to `cap` or below; Infinity is possible.
   * Changes nothing that anybody can see.
   */
  with(charges: readonly Charge[], cap: Units): Units
  /** Charges them. */
  add(charges: readonly Charge[]): void
}
