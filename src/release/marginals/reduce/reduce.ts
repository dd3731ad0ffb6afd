import { toNumber } from '../../../numeric/index.ts'
import type { Grid } from '../../../query/index.ts'
import type { Run } from '../../meter.ts'
import { UrgencyHeap } from './heap.ts'
import type { Picker } from './picker.ts'

export interface Reduction {
  readonly run: Pick<Run, 'values' | 'level' | 'allows' | 'lower'>
  /** The run's. */
  readonly grid: Grid
  readonly picker: Picker
  /** What the run has reserved, and the scale, in steps, at which each query by itself costs ε = 1. */
  readonly epsilon: number
  readonly unitScales: readonly number[]
  /**
   * Whether a record may pay for all queries at once, as for full marginals: then prices add up, and a run need not be asked about a step
   * that comes out dearer than ε. (Of other queries it may allow more, and takes its time to find out.)
   */
  readonly pricesAddUp?: boolean
  /** From 0 to 1; by public values alone. */
  readonly progress?: (share: number) => void
}

/**
 * iReduct (§4.3) for any queries: as long as the run's ε allows, lowers the noise of the most urgent query by a step of the
 * grid (of equally urgent ones, the first); one whose next step is not allowed is left where it is.
 *
 * The result is that of this loop, step by step. But first every query dives by itself as deep as the loop would surely
 * bring it: down to where its urgency falls below a level that ε pays for whatever the answers turn out to be. Proof: docs/algorithms/ireduct.md
 */
export function reduce(reduction: Reduction): void {
  new Descent(reduction).run()
}

/** How much of ε is not counted on when it is reckoned in floating point: far more than rounding, far less than a step. */
const slack = 1e-9

class Descent {
  readonly #run: Reduction['run']
  readonly #picker: Picker
  readonly #given: Reduction
  readonly #first: number
  readonly #step: number
  readonly #last: number
  readonly #levels: Int32Array
  readonly #weights: Float64Array

  constructor(given: Reduction) {
    this.#given = given
    this.#run = given.run
    this.#picker = given.picker
    this.#first = toNumber(given.grid.first)
    this.#step = toNumber(given.grid.step)
    this.#last = given.grid.count - 1
    const queries = given.unitScales.length
    this.#levels = Int32Array.from({ length: queries }, (_, query) => given.run.level(query))
    this.#weights = Float64Array.from({ length: queries }, (_, query) =>
      given.picker.open(query, given.run.values(query)),
    )
  }

  run(): void {
    const { progress } = this.#given
    const threshold = this.#sureThreshold()
    for (const query of this.#levels.keys()) this.#dive(query, threshold)
    progress?.(this.#spent() / this.#given.epsilon)
    this.#stepByStep()
    progress?.(1)
  }

  /** Lowers a query until its urgency is below the threshold; from change to change, as in between it only falls. */
  #dive(query: number, threshold: number): void {
    let level = this.#levels[query]!
    let target = level
    for (;;) {
      // Still right where the level before it is urgent enough.
      if (target <= level || this.#urgency(query, this.#weights[query]!, target - 1) < threshold) {
        const end = this.#firstBelow(query, this.#weights[query]!, threshold, level)
        if (end === level) break
        // A little less far than it seems, so that the target holds when the weight falls a little.
        target = level + Math.ceil(0.9 * (end - level))
      }
      const revealed = this.#run.lower(query, target, 'first-change')
      level = revealed.level
      if (revealed.count > 0) this.#weights[query] = this.#picker.change(query, revealed)
    }
    this.#levels[query] = level
  }

  #stepByStep(): void {
    const [levels, weights, last] = [this.#levels, this.#weights, this.#last]
    const heap = new UrgencyHeap(weights.map((weight, query) => this.#urgency(query, weight, levels[query]!)))
    const { unitScales, pricesAddUp, epsilon, progress } = this.#given
    const most = pricesAddUp ? epsilon * (1 + slack) : Number.POSITIVE_INFINITY
    let spent = this.#spent()
    for (let steps = 0; heap.size > 0; steps++) {
      const query = heap.top
      const level = levels[query]! + 1
      const after = spent + unitScales[query]! / this.#scale(level) - unitScales[query]! / this.#scale(level - 1)
      if (level > last || after > most || !this.#run.allows(query, level)) {
        heap.drop()
        continue
      }
      spent = after
      const revealed = this.#run.lower(query, level)
      levels[query] = level
      if (revealed.count > 0) weights[query] = this.#picker.change(query, revealed)
      heap.change(this.#urgency(query, weights[query]!, level))
      if (steps % 10_000 === 9_999) progress?.(spent / epsilon)
    }
  }

  /**
   * The lowest threshold at which no answers could make the queries cost more than ε: each would have the most weight,
   * and would still be at least so urgent one step above where it then stops. Infinity where there is none.
   */
  #sureThreshold(): number {
    if (this.#last === 0) return Number.POSITIVE_INFINITY
    let [low, high] = [Number.POSITIVE_INFINITY, 0]
    for (const [query, level] of this.#levels.entries()) {
      const most = this.#picker.most(query)
      low = Math.min(low, this.#urgency(query, most, this.#last - 1))
      high = Math.max(high, 2 * this.#urgency(query, most, level))
    }
    if (!this.#affordable(high)) return Number.POSITIVE_INFINITY
    if (this.#affordable(low)) return low
    while (high > 1.0001 * low) {
      const middle = Math.sqrt(high * low)
      if (this.#affordable(middle)) high = middle
      else low = middle
    }
    return high
  }
  #affordable(threshold: number): boolean {
    const { epsilon } = this.#given
    const cost = this.#cost((query, level) => this.#firstBelow(query, this.#picker.most(query), threshold, level))
    // Prices are rounded up to 10^-12 each.
    return cost * (1 + slack) + 1e-12 * this.#levels.length <= epsilon * (1 - slack)
  }

  #spent(): number {
    return this.#cost((_, level) => level)
  }
  #cost(levelOf: (query: number, level: number) => number): number {
    return this.#given.unitScales.reduce(
      (sum, unit, query) => sum + unit / this.#scale(levelOf(query, this.#levels[query]!)),
      0,
    )
  }

  /** The first level from there on at which a query of this weight is less urgent than the threshold; at most the last. */
  #firstBelow(query: number, weight: number, threshold: number, from: number): number {
    let [low, high] = [from, this.#last]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#urgency(query, weight, middle) < threshold) high = middle
      else low = middle + 1
    }
    return low
  }
  /** In floating point, but rounding is monotone: it never rises from one level to the next. */
  #urgency(query: number, weight: number, level: number): number {
    return weight * this.#picker.worth(query, this.#scale(level), this.#scale(level + 1))
  }
  #scale(level: number): number {
    return this.#first - level * this.#step
  }
}
