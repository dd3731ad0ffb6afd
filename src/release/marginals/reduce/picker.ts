import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'

/**
 * PickQueries (§4.3): which query's noise to lower next. It is handed what has been released and nothing else, so
 * whatever it makes of it is private.
 *
 * A query is the more urgent the more its answers weigh and the more a step is worth at its scale: weight · worth. A query's weight
 * depends on its own answers alone, and as long as they stay, its urgency only falls on the way down. This is what lets `reduce` go many
 * steps at once.
 */
export interface Picker {
  /** Takes in a query's answers when a run is opened: their weight, above 0. */
  open(query: number, values: Integers): number
  /** Takes in those that changed: the weight of all of the query's answers now. */
  change(query: number, changed: Revealed): number
  /** What no answers weigh more than. */
  most(query: number): number
  /** Of a step from a scale to the next below, per weight. Never rises as they fall. */
  worth(query: number, scale: number, next: number): number
}
