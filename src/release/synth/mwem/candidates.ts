import type { Rational } from '../../../numeric/index.ts'
import type { LinearQuery } from '../../../query/index.ts'
import type { Draws } from '../../meter.ts'
import type { SynthTerms } from '../method.ts'
import { answerSheet } from './answer-sheet.ts'
import type { AnswerSheet, FittedModel, NoisyAnswer } from './fitted-model.ts'
import { Knowledge } from './knowledge.ts'
import { QueryCosts, type RoundNoise } from './round-noise.ts'

/** The workload's queries, what the model answers, and what is known of each: a choice among them is made here. */
export class Candidates {
  readonly sheet: AnswerSheet
  readonly costs: QueryCosts
  readonly #knowledge: Knowledge
  readonly #terms: SynthTerms
  readonly #weights: readonly number[] | undefined
  /** The model's answers in whole steps, as far as they are not stale. */
  readonly #rounded: Float64Array
  readonly #isStale: Uint8Array

  constructor(queries: readonly LinearQuery[], terms: SynthTerms) {
    this.sheet = answerSheet(queries, terms.universe)
    this.#terms = terms
    this.#knowledge = new Knowledge(this.sheet, terms.universe)
    this.costs = new QueryCosts(queries, terms)
    this.#weights = weightsOf(this.costs.sensitivities)
    this.#rounded = new Float64Array(this.sheet.values.length)
    this.#isStale = new Uint8Array(queries.length).fill(1)
  }

  learn(answer: NoisyAnswer): void {
    this.#knowledge.learn(answer)
  }

  /** Answers that depend on one of these attributes are no longer the model's. */
  changed(attributes: Iterable<number>): void {
    const touched = new Set(attributes)
    if (touched.size === this.#terms.universe.attributes.length) this.#isStale.fill(1)
    else
      for (const [place, own] of this.sheet.attributes.entries())
        if (own.some((a) => touched.has(a))) this.#isStale[place] = 1
  }

  /** Those that the model has room for and that a round with this noise would tell more about than is known. */
  open(model: FittedModel, noise: (place: number) => RoundNoise): number[] {
    const open: number[] = []
    for (const [place, attributes] of this.sheet.attributes.entries()) {
      // Rounding must not make what was measured look a little less precise than before.
      const tellsMore = this.#knowledge.variance(place) > noise(place).variance * (1 + 1e-9)
      if (tellsMore && model.canHold(attributes)) open.push(place)
    }
    return open
  }

  /** Chooses one of these: the likelier the further the exact answers are from the model's, beyond what noise would add. */
  choose(
    draws: Draws,
    model: FittedModel,
    { open, epsilon, noise }: { open: readonly number[]; epsilon: Rational; noise: (place: number) => RoundNoise },
  ): number {
    this.#refresh(model, open)
    const { starts } = this.sheet
    const size = (place: number) => starts[place + 1]! - starts[place]!
    const answers = new Float64Array(open.reduce((sum, place) => sum + size(place), 0))
    let at = 0
    for (const place of open)
      for (let i = starts[place]!; i < starts[place + 1]!; i++) answers[at++] = this.#rounded[i]!
    const weights = this.#weights && open.map((place) => this.#weights![place]!)
    // The error that measuring would put in place of the one that is there now, as NIPS §3.3 takes off the number of cells.
    const penalties = open.map((place, i) => Math.round(noise(place).mean * size(place) * (weights?.[i] ?? 1)))
    return draws.select({ candidates: open, model: answers, penalties, epsilon, ...(weights && { weights }) })
  }

  #refresh(model: FittedModel, open: readonly number[]): void {
    const stale = open.filter((place) => this.#isStale[place])
    if (stale.length === 0) return
    const { starts, values } = this.sheet
    model.fill(this.sheet, stale)
    for (const place of stale) {
      for (let i = starts[place]!; i < starts[place + 1]!; i++) this.#rounded[i] = Math.round(values[i]!)
      this.#isStale[place] = 0
    }
  }
}

/**
 * A choice is calibrated to the score that one record moves most. Where sensitivities differ, each score counts the more the
 * less it is moved, so that sums of large numbers do not drown counts; undefined where all are the same.
 */
function weightsOf(moved: readonly number[]): number[] | undefined {
  const most = moved.reduce((a, b) => Math.max(a, b), 1)
  return moved.every((m) => m === most) ? undefined : moved.map((m) => Math.floor(most / Math.max(m, 1)))
}
