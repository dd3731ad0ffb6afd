import {
  type AnswerSheet,
  answerSheet,
  type FittedModel,
  type ModelChanges,
  type NoisyAnswer,
} from '../../../model/index.ts'
import type { Rational } from '../../../numeric/index.ts'
import type { QueryList } from '../../../query/index.ts'
import type { Draws } from '../../meter.ts'
import type { SynthTerms } from '../method.ts'
import { Knowledge } from './knowledge.ts'
import { QueryCosts, type RoundNoises } from './round-noise.ts'

/** What is to be looked at again: whether there is room for a query, or that and what the model answers. */
const [staleRoom, staleAnswers] = [1, 2]

/**
 * The workload's queries, what the model answers, and what is known of each: a choice among them is made here. There may be half a
 * million, so a round makes no object of any of them, and looks again only at those that its fit has changed.
 */
export class Candidates {
  readonly sheet: AnswerSheet
  readonly costs: QueryCosts
  readonly #knowledge: Knowledge
  readonly #weights: Float64Array | undefined
  /** Whether all have as many cells and the same noise. */
  readonly #areAlike: boolean
  /** Whether the model has room for what was measured, as far as this is not stale. */
  readonly #hasRoom: Uint8Array
  readonly #staleness: Uint8Array
  /** The stale ones: so many of the first of these, in any order. */
  readonly #stale: Int32Array
  #staleCount: number
  /** Made once: what a round hands over is copied there. */
  readonly #places: Int32Array
  readonly #penalties: Float64Array
  readonly #answers: Float64Array

  constructor(queries: QueryList, terms: SynthTerms) {
    this.sheet = answerSheet(queries, terms.universe)
    this.#knowledge = new Knowledge(this.sheet, terms.universe)
    this.costs = new QueryCosts(queries, terms)
    this.#weights = weightsOf(this.costs.sensitivities)
    this.#areAlike = this.costs.units.length === 1 && isEven(this.sheet.starts)
    this.#hasRoom = new Uint8Array(queries.length)
    this.#staleness = new Uint8Array(queries.length).fill(staleAnswers)
    this.#stale = new Int32Array(queries.length)
    for (let place = 0; place < queries.length; place++) this.#stale[place] = place
    this.#staleCount = queries.length
    this.#places = new Int32Array(queries.length)
    this.#penalties = new Float64Array(queries.length)
    this.#answers = new Float64Array(this.sheet.values.length)
  }

  learn(answer: NoisyAnswer): void {
    this.#knowledge.learn(answer)
  }

  /** What the model has changed is looked at again before the next choice. */
  changed({ together, alone }: ModelChanges): void {
    const { placesOf, attributesOf } = this.sheet
    const isMoved = new Uint8Array(placesOf.length)
    const isChanged = new Uint8Array(placesOf.length)
    for (const a of alone) isMoved[a] = 1
    for (const a of together) isChanged[a] = 1
    const set: number[] = []
    for (let a = 0; a < isChanged.length; a++) {
      if (!isChanged[a]) continue
      const places = placesOf[a]!
      for (let i = 0; i < places.length; i++) {
        const place = places[i]!
        if (this.#staleness[place] === staleAnswers) continue
        let has = isMoved[a]!
        if (!has) for (const b of attributesOf(place, set)) if (b !== a && isChanged[b]) has = 1
        if (!this.#staleness[place]) this.#stale[this.#staleCount++] = place
        this.#staleness[place] = has ? staleAnswers : staleRoom
      }
    }
  }

  /** Tells a run what the model answers now where that has changed. */
  refresh(model: FittedModel, draws: Draws): void {
    const { attributesOf } = this.sheet
    const stale = this.#staleInOrder()
    this.#staleCount = 0
    const set: number[] = []
    let count = 0
    for (let i = 0; i < stale.length; i++) {
      const place = stale[i]!
      const had = this.#hasRoom[place]
      this.#hasRoom[place] = Number(model.canHold(attributesOf(place, set)))
      const isOld = this.#staleness[place] === staleAnswers || !had
      this.#staleness[place] = 0
      if (this.#hasRoom[place] && isOld) stale[count++] = place
    }
    if (count === 0) return
    const queries = stale.subarray(0, count)
    model.fill(this.sheet, queries)
    draws.tell({ queries, answers: this.#roundedAnswers(queries) })
  }

  /** Ascending. Of many, all places are looked at, which takes less time than sorting. */
  #staleInOrder(): Int32Array {
    const [stale, staleness] = [this.#stale.subarray(0, this.#staleCount), this.#staleness]
    if (stale.length * 16 < staleness.length) return stale.sort()
    for (let place = 0, next = 0; next < stale.length; place++) if (staleness[place]) stale[next++] = place
    return stale
  }

  /** Those that the model has room for and that a round with this noise would tell more about than is known; until it is called again. */
  open(noise: RoundNoises): Int32Array {
    const [open, hasRoom] = [this.#places, this.#hasRoom]
    const { variances } = this.#knowledge
    const { unitOf } = this.costs
    // Rounding must not make what was measured look a little less precise than before.
    const least = Float64Array.from(noise.all, ({ variance }) => variance * (1 + 1e-9))
    let count = 0
    // One comparison for each of half a million, where all cost the same.
    if (least.length === 1) {
      const enough = least[0]!
      for (let place = 0; place < open.length; place++)
        if (hasRoom[place] && variances[place]! > enough) open[count++] = place
    } else
      for (let place = 0; place < open.length; place++)
        if (hasRoom[place] && variances[place]! > least[unitOf[place]!]!) open[count++] = place
    return open.subarray(0, count)
  }

  /** Chooses one of these: the likelier the further the exact answers are from the model's, beyond what noise would add. */
  choose(draws: Draws, { open, epsilon, noise }: { open: Int32Array; epsilon: Rational; noise: RoundNoises }): number {
    const weights = this.#weights && Float64Array.from(open, (place) => this.#weights![place]!)
    // What is taken off all of them alike changes no choice.
    if (!weights && this.#areAlike) return draws.select({ candidates: open, epsilon })
    const penalties = this.#penaltiesOf(open, noise, weights)
    return draws.select({ candidates: open, penalties, epsilon, ...(weights && { weights }) })
  }

  /** The error that measuring would put in place of the one that is there now, as NIPS §3.3 takes off the number of cells. */
  #penaltiesOf(open: Int32Array, noise: RoundNoises, weights: Float64Array | undefined): Float64Array {
    const { starts } = this.sheet
    const { unitOf } = this.costs
    const means = Float64Array.from(noise.all, ({ mean }) => mean)
    const penalties = this.#penalties.subarray(0, open.length)
    for (let i = 0; i < open.length; i++) {
      const place = open[i]!
      const error = means[unitOf[place]!]! * (starts[place + 1]! - starts[place]!)
      penalties[i] = Math.round(weights ? error * weights[i]! : error)
    }
    return penalties
  }

  /** In whole steps, one after the other. */
  #roundedAnswers(places: Int32Array): Float64Array {
    const { starts, values } = this.sheet
    const rounded = this.#answers
    let at = 0
    for (let i = 0; i < places.length; i++) {
      const end = starts[places[i]! + 1]!
      for (let cell = starts[places[i]!]!; cell < end; cell++) rounded[at++] = Math.round(values[cell]!)
    }
    return rounded.subarray(0, at)
  }
}

/**
 * A choice is calibrated to the score that one record moves most. Where sensitivities differ, each score counts the more the
 * less it is moved, so that sums of large numbers do not drown counts; undefined where all are the same.
 */
function weightsOf(moved: Float64Array): Float64Array | undefined {
  let [least, most] = [moved[0] ?? 1, 1]
  for (let i = 0; i < moved.length; i++) {
    least = Math.min(least, moved[i]!)
    most = Math.max(most, moved[i]!)
  }
  return least === most ? undefined : moved.map((m) => Math.floor(most / Math.max(m, 1)))
}

/** Whether numbers go up by the same each time. */
function isEven(starts: Float64Array): boolean {
  for (let i = 1; i < starts.length; i++) if (starts[i] !== i * starts[1]!) return false
  return true
}
