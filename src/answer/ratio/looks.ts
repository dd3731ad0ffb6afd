import type { Measurement } from '../../query/index.ts'
import { scaleOf } from '../price/priced-part.ts'
import type { PartBought, PartChoice } from '../question/question.ts'
import type { RatioContext } from './context.ts'
import type { RatioGoal } from './goal.ts'
import { isRefinable, refinementOf } from './refinement.ts'
import type { Sizes } from './sizes.ts'
import type { Stages } from './stages.ts'

/** The first look costs about this much: ε, or ρ where that counts. */
const first = { epsilon: 0.0003, rho: 1e-7 }
/** As long as looks say nothing, each has 4 times less noise than the one before; later ones at most 9 times less. */
const [growth, mostGrowth] = [4, 9]
/** A look that turns out this much too noisy is good enough. */
const tolerated = 1.25
/** At most this many looks. */
const mostLooks = 8

/** Cheap purchases that say about how large denominators are. */
export class Looks {
  readonly #context: RatioContext
  readonly #sizes: Sizes
  /** The last one, by part. */
  readonly #last = new Map<number, Measurement>()
  #taken = 0

  constructor(context: RatioContext, sizes: Sizes) {
    this.#context = context
    this.#sizes = sizes
  }

  get taken(): number {
    return this.#taken
  }
  get areOver(): boolean {
    return this.#taken === mostLooks
  }
  take(bought: readonly PartBought[]): void {
    this.#taken++
    for (const { part, measurement } of bought) this.#last.set(part, measurement)
  }

  /** Looks refine those before them, and so cost nothing in the end: the last one is refined, too. */
  refined(parts: readonly PartChoice[]): PartChoice[] {
    const { book } = this.#context.session
    return parts.map((part) =>
      part.choice.kind === 'fresh'
        ? { ...part, choice: refinementOf(part.choice.charge, this.#last.get(part.part), book) }
        : part,
    )
  }

  /** The noise of the next look, by part; undefined if sizes are known well enough. */
  next(stages: Stages): Map<number, number> | undefined {
    const sizes = new Map<number, number>()
    for (const goal of this.#context.needs.ratios) {
      const wanted = this.#wanted(goal, stages)
      const { part } = goal.ratio.denominator
      if (wanted !== undefined) sizes.set(part, Math.min(sizes.get(part) ?? Infinity, wanted))
    }
    return sizes.size > 0 ? sizes : undefined
  }

  /** The noise that the next look at this denominator should have, in its own units. */
  #wanted(goal: RatioGoal, stages: Stages): number | undefined {
    const { part, times } = goal.ratio.denominator
    const noise = stages.noise(part)
    const found = this.#sizes.smallest(goal)
    const seen = this.#last.get(part)
    const last = seen && scaleOf(seen)
    if (noise.isPublic) return found?.deviation === 0 ? undefined : 1
    const rho = this.#context.session.book.cap.rho !== null
    const opening = rho ? noise.unit / Math.sqrt(first.rho) : noise.unit / first.epsilon
    if (!found) return last === undefined ? opening : last / growth
    const enough = (target(goal, stages, isRefinable(this.#context.session.book)) * found.size) / Math.abs(times)
    const deviation = found.deviation / Math.abs(times) / (rho ? 1 : Math.SQRT2)
    if (deviation <= (last === undefined ? 1 : tolerated) * enough) return undefined
    const before = last ?? Math.min(deviation, opening)
    const isTold = found.size > 1.2 * found.deviation
    return isTold ? Math.max(enough * 0.95, before / mostGrowth) : before / growth
  }
}

/** How noisy the last look may be, relative to the denominator: less if it costs little compared with the rest. */
function target(goal: RatioGoal, stages: Stages, isFree: boolean): number {
  const { numerator, denominator } = goal.ratio
  const unit = (of: typeof numerator) => stages.noise(of.part).unit * Math.abs(of.times)
  const precision = (goal.within * unit(denominator)) / (unit(numerator) || 1)
  const share = Math.sqrt(precision / 0.05)
  return isFree ? Math.min(0.12, Math.max(0.02, 0.08 * share)) : Math.min(0.16, Math.max(0.03, 0.09 * share))
}
