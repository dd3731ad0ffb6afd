import type { Integers } from '../../../query/index.ts'
import type { Revealed } from '../../meter.ts'

/**
 * PickQueries (§4.3): which query's noise to lower next. It is handed what has been released and nothing else, so
 * whatever it makes of it is private.
 *
 * How urgent a query is depends on its own answers and scale alone. As long as the answers stay, it never rises on the
 * way down, but where the picker has said that it will look at them anew. This is what lets `reduce` go many steps at
 * once.
 */
export interface Picker {
  /** Takes in a query's answers when a run is opened. */
  open(query: number, values: Integers): void
  /** Takes in those that changed. */
  change(query: number, changed: Revealed): void
  /** Looks at the answers anew, at this scale; tells at or below which scale to look again. 0: never. */
  review(query: number, scale: number): number
  /** Of a step from a scale to the next below. */
  urgency(query: number, scale: number, next: number): number
  /** What no answers make more urgent. Never rises on the way down. */
  most(query: number, scale: number, next: number): number
}
