import { type AnswerSheet, answerSheet, type FittedModel, type NoisyAnswer } from '../../../model/index.ts'
import type { Rational } from '../../../numeric/index.ts'
import type { LinearQuery } from '../../../query/index.ts'
import type { Draws } from '../../meter.ts'
import type { SynthTerms } from '../method.ts'
import { Knowledge } from './knowledge.ts'
import { QueryCosts, type RoundNoise } from './round-noise.ts'

/**
 * The workload's queries, what the model answers, and what is known of each: a choice among them is made here. There may be half a
 * million, so a round makes no object of any of them.
 */
export class Candidates {
  readonly sheet: AnswerSheet
  readonly costs: QueryCosts
  readonly #knowledge: Knowledge
  readonly #weights: Float64Array | undefined
  /** The model's answers in whole steps, and whether it has room for what was measured, as far as these are not stale. */
  readonly #rounded: Float64Array
  readonly #hasRoom: Uint8Array
  readonly #isStale: Uint8Array
  /** Made once: what a round hands over is copied there. */
  readonly #places: Int32Array
  readonly #penalties: Float64Array
  readonly #answers: Float64Array

  constructor(queries: readonly LinearQuery[], terms: SynthTerms) {
    this.sheet = answerSheet(queries, terms.universe)
    this.#knowledge = new Knowledge(this.sheet, terms.universe)
    this.costs = new QueryCosts(queries, terms)
    this.#weights = weightsOf(this.costs.sensitivities)
    this.#rounded = new Float64Array(this.sheet.values.length)
    this.#hasRoom = new Uint8Array(queries.length)
    this.#isStale = new Uint8Array(queries.length).fill(1)
    this.#places = new Int32Array(queries.length)
    this.#penalties = new Float64Array(queries.length)
    this.#answers = new Float64Array(this.sheet.values.length)
  }

  learn(answer: NoisyAnswer): void {
    this.#knowledge.learn(answer)
  }

  /** Answers that depend on one of these attributes are no longer the model's. */
  changed(attributes: Iterable<number>): void {
    for (const a of attributes) {
      const places = this.sheet.placesOf[a]!
      for (let i = 0; i < places.length; i++) this.#isStale[places[i]!] = 1
    }
  }

  /** Those that the model has room for and that a round with this noise would tell more about than is known; until it is called again. */
  open(model: FittedModel, noise: (place: number) => RoundNoise): Int32Array {
    this.#refresh(model)
    const open = this.#places
    const { variances } = this.#knowledge
    let count = 0
    // Rounding must not make what was measured look a little less precise than before.
    for (let place = 0; place < open.length; place++)
      if (this.#hasRoom[place] && variances[place]! > noise(place).variance * (1 + 1e-9)) open[count++] = place
    return open.subarray(0, count)
  }

  /** Chooses one of these: the likelier the further the exact answers are from the model's, beyond what noise would add. */
  choose(
    draws: Draws,
    { open, epsilon, noise }: { open: Int32Array; epsilon: Rational; noise: (place: number) => RoundNoise },
  ): number {
    const { starts } = this.sheet
    const weights = this.#weights && Float64Array.from(open, (place) => this.#weights![place]!)
    // The error that measuring would put in place of the one that is there now, as NIPS §3.3 takes off the number of cells.
    const penalties = this.#penalties.subarray(0, open.length)
    for (let i = 0; i < open.length; i++) {
      const place = open[i]!
      penalties[i] = Math.round(noise(place).mean * (starts[place + 1]! - starts[place]!) * (weights?.[i] ?? 1))
    }
    const model = this.#answersTo(open)
    return draws.select({ candidates: open, model, penalties, epsilon, ...(weights && { weights }) })
  }

  #answersTo(open: Int32Array): Float64Array {
    const { starts } = this.sheet
    let at = 0
    for (let i = 0; i < open.length; ) {
      const first = i
      while (++i < open.length && open[i] === open[i - 1]! + 1);
      const run = this.#rounded.subarray(starts[open[first]!], starts[open[i - 1]! + 1])
      this.#answers.set(run, at)
      at += run.length
    }
    return this.#answers.subarray(0, at)
  }

  #refresh(model: FittedModel): void {
    const { attributes, starts, values } = this.sheet
    const stale = this.#places
    let count = 0
    for (let place = 0; place < stale.length; place++) {
      if (!this.#isStale[place]) continue
      this.#hasRoom[place] = Number(model.canHold(attributes[place]!))
      if (this.#hasRoom[place]) stale[count++] = place
    }
    this.#isStale.fill(0)
    model.fill(this.sheet, stale.subarray(0, count))
    for (let i = 0; i < count; i++) {
      const end = starts[stale[i]! + 1]!
      for (let cell = starts[stale[i]!]!; cell < end; cell++) this.#rounded[cell] = Math.round(values[cell]!)
    }
  }
}

/**
 * A choice is calibrated to the score that one record moves most. Where sensitivities differ, each score counts the more the
 * less it is moved, so that sums of large numbers do not drown counts; undefined where all are the same.
 */
function weightsOf(moved: Float64Array): Float64Array | undefined {
  const most = moved.reduce((a, b) => Math.max(a, b), 1)
  return moved.every((m) => m === most) ? undefined : moved.map((m) => Math.floor(most / Math.max(m, 1)))
}
