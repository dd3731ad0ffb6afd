import { firstWhere, toNumber } from '../../../numeric/index.ts'
import type { Grid } from '../../../query/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import type { Revealed, Run } from '../../meter.ts'
import { unlessGuarded } from '../guarded.ts'
import { UrgencyHeap } from './heap.ts'
import type { OverallError } from './overall-error.ts'

interface Reduction {
  readonly run: Pick<Run, 'values' | 'level' | 'allows' | 'lower'>
  /** The run's. */
  readonly grid: Grid
  readonly picker: OverallError
  /** What the run has reserved, and the scale, in steps, at which each query by itself costs ε = 1. */
  readonly epsilon: number
  readonly unitScales: readonly number[]
  /**
   * Whether a record may pay for all queries at once, as for full marginals: then prices add up, and a run need not be
   * asked about a step that comes out dearer than ε. (Of other queries it may allow more, and takes its time to find
   * out.)
   */
  readonly pricesAddUp?: boolean
  /** From 0 to 1; by public values alone. */
  readonly progress?: (share: number) => void
  readonly signal?: AbortSignal
}

/**
 * iReduct (§4.3) for any queries: as long as the run's ε allows, lowers the noise of the most urgent query by a step of
 * the grid (of equally urgent ones, the first); one whose next step is not allowed, or refused by a guard, is left
 * where it is.
 *
 * The result is that of this loop, step by step. But first every query dives by itself as deep as the loop would surely
 * bring it: down to where its urgency falls below a threshold that ε pays for whatever the answers turn out to be.
 * Proof: docs/algorithms/ireduct.md
 */
export async function reduce(reduction: Reduction): Promise<void> {
  const descent = new Descent(reduction)
  await descent.dive()
  await descent.stepByStep()
  reduction.progress?.(1)
}

/**
 * How much of ε is left aside where costs are computed in floating point: far more than rounding, far less than a step.
 */
const slack = 1e-9

/** After so many steps the loop may be stopped: under a guard a step can take milliseconds, without one far less. */
const stepsAtATime = 256

class Descent {
  readonly #given: Reduction
  readonly #run: Reduction['run']
  readonly #picker: OverallError
  readonly #top: number
  readonly #step: number
  readonly #last: number
  readonly #levels: Int32Array
  /** From which level on the picker wants to look at a query's answers anew. */
  readonly #reviews: Int32Array
  #steps = 0

  constructor(given: Reduction) {
    this.#given = given
    this.#run = given.run
    this.#picker = given.picker
    this.#top = toNumber(given.grid.first)
    this.#step = toNumber(given.grid.step)
    this.#last = given.grid.count - 1
    this.#levels = Int32Array.from(given.unitScales, (_, query) => given.run.level(query))
    this.#reviews = new Int32Array(this.#levels.length)
    for (const [query, level] of this.#levels.entries()) {
      this.#picker.open(query, this.#run.values(query))
      this.#review(query, level)
    }
  }

  async dive(): Promise<void> {
    const { progress, epsilon, signal } = this.#given
    const threshold = this.#sureThreshold()
    await stoppingPoint(signal)
    for (const query of this.#levels.keys()) await this.#diveTo(threshold, query)
    progress?.(this.#spent() / epsilon)
  }

  /** Lowers a query until it is less urgent than that; from change to change, as in between urgency only falls. */
  async #diveTo(threshold: number, query: number): Promise<void> {
    let [level, target] = [this.#levels[query]!, 0]
    for (;;) {
      // A target still holds where the level before it is urgent enough.
      if (target <= level || this.#urgency(query, target - 1) < threshold) {
        const steady = Math.min(this.#reviews[query]!, this.#last)
        const end = firstWhere(level, steady, (at) => this.#urgency(query, at) < threshold)
        if (end === level) break
        // A little less far than it seems, so that the target holds when urgency falls a little.
        target = level + Math.ceil(0.9 * (end - level))
      }
      const revealed = unlessGuarded(() => this.#run.lower(query, target, 'first-change'))
      // Less deep may be allowed: to be seen step by step.
      if (!revealed) break
      level = revealed.level
      this.#takeIn(query, level, revealed)
      if (++this.#steps % stepsAtATime === 0) await stoppingPoint(this.#given.signal)
    }
  }

  async stepByStep(): Promise<void> {
    const { unitScales, pricesAddUp, epsilon, progress, signal } = this.#given
    const [run, levels, last] = [this.#run, this.#levels, this.#last]
    const most = pricesAddUp ? epsilon * (1 + slack) : Number.POSITIVE_INFINITY
    const heap = new UrgencyHeap(Float64Array.from(levels, (level, query) => this.#urgency(query, level)))
    let spent = this.#spent()
    for (let steps = 0; heap.size > 0; steps++) {
      const query = heap.top
      const level = levels[query]! + 1
      const after = spent + unitScales[query]! / this.#scale(level) - unitScales[query]! / this.#scale(level - 1)
      const allowed = level <= last && after <= most && run.allows(query, level)
      const revealed = allowed ? unlessGuarded(() => run.lower(query, level)) : undefined
      if (!revealed) {
        heap.drop()
        continue
      }
      this.#takeIn(query, level, revealed)
      heap.change(this.#urgency(query, level))
      spent = after
      if (steps % 10_000 === 9_999) progress?.(spent / epsilon)
      if (steps % stepsAtATime === 0) await stoppingPoint(signal)
    }
  }

  #takeIn(query: number, level: number, revealed: Revealed): void {
    this.#levels[query] = level
    if (revealed.count > 0) this.#picker.change(query, revealed)
    if (level >= this.#reviews[query]!) this.#review(query, level)
  }
  #review(query: number, level: number): void {
    const scale = this.#picker.review(query, this.#scale(level))
    this.#reviews[query] = firstWhere(level + 1, this.#last + 1, (at) => this.#scale(at) <= scale)
  }

  /** The lowest threshold at which no answers could make the queries cost more than ε. Infinity if there is none. */
  #sureThreshold(): number {
    if (this.#last === 0) return Number.POSITIVE_INFINITY
    let [low, high] = [Number.POSITIVE_INFINITY, 0]
    for (const [query, level] of this.#levels.entries()) {
      low = Math.min(low, this.#most(query, this.#last - 1))
      high = Math.max(high, 2 * this.#most(query, level))
    }
    if (!this.#affordable(high)) return Number.POSITIVE_INFINITY
    if (this.#affordable(low)) return low
    while (high > 1.0001 * low) {
      const middle = Math.sqrt(high) * Math.sqrt(low)
      if (this.#affordable(middle)) high = middle
      else low = middle
    }
    return high
  }
  #affordable(threshold: number): boolean {
    const { epsilon } = this.#given
    const cost = this.#cost((query, level) => firstWhere(level, this.#last, (at) => this.#most(query, at) < threshold))
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

  #urgency(query: number, level: number): number {
    return this.#picker.urgency(query, this.#scale(level), this.#scale(level + 1))
  }
  /** A little more, so that rounding does not make an urgency seem larger than it. */
  #most(query: number, level: number): number {
    return this.#picker.most(query, this.#scale(level), this.#scale(level + 1)) * (1 + slack)
  }
  /** In floating point, but rounding is monotone: it never rises from one level to the next. */
  #scale(level: number): number {
    return this.#top - level * this.#step
  }
}
