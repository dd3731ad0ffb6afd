import { type Rational, type Spans, spansAt, spansSize } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { ExactAnswers } from '../../exact/index.ts'
import { type Bits, systemBits } from '../../random/index.ts'
import { type Flat, flatOf, selectFurthest } from './furthest.ts'
import { pick, pickAmong } from './pick.ts'

/** Public numbers for each candidate, as in `Candidates`. */
interface Scoring {
  readonly weights?: Float64Array | undefined
  readonly penalties?: Float64Array | undefined
}

const most = Number.MAX_SAFE_INTEGER

/**
 * Choices against a public model that changes a little at a time: distances are worked out again only where it did. What it
 * holds is as private as the answers, and nobody but a choice looks at it.
 */
export class ToldModel {
  readonly #exact: ExactAnswers<Integers>
  /** Undefined where some answers are no doubles: then every choice works out its own distances. */
  readonly #flat: Flat | undefined
  readonly #starts: Float64Array
  readonly #model: Float64Array
  readonly #far: Float64Array
  readonly #isTold: Uint8Array
  #told = 0

  /** `starts`: where each answer begins when all stand one after the other, and where the last one ends. */
  constructor(exact: ExactAnswers<Integers>, starts: Float64Array) {
    this.#exact = exact
    this.#flat = flatOf(exact)
    this.#starts = starts
    this.#model = new Float64Array(starts[exact.length]!)
    this.#far = new Float64Array(exact.length)
    this.#isTold = new Uint8Array(exact.length)
  }

  /** From now on these have these answers in the model, one after the other. */
  tell(places: Spans, answers: Float64Array): void {
    const starts = this.#starts
    let from = 0
    for (const [first, last] of places) {
      const cells = starts[last + 1]! - starts[first]!
      this.#model.set(answers.subarray(from, from + cells), starts[first])
      from += cells
      for (let place = first; place <= last; place++) this.#measure(place)
    }
  }

  /** Whether the model is known for each of these. */
  covers(candidates: Spans): boolean {
    if (this.#told === this.#isTold.length) return true
    for (const [first, last] of candidates)
      for (let place = first; place <= last; place++) if (!this.#isTold[place]) return false
    return true
  }

  /** As selectFurthest, whose guarantee holds: it is the same score. */
  select(candidates: Spans, scoring: Scoring, rate: Rational, bits: Bits = systemBits): number {
    const { weights, penalties } = scoring
    const best = weights || penalties ? undefined : this.#furthest(candidates)
    // Half a million distances are looked at where they are.
    if (best !== undefined) return spansAt(candidates, pickAmong(this.#distances(candidates, best), rate, bits))
    const scores = this.#flat && this.#scores(candidates, scoring, this.#flat.scores)
    if (scores) return spansAt(candidates, pick(scores, rate, bits))
    const model = this.#modelOf(candidates)
    return selectFurthest({ exact: this.#exact, candidates, model, ...scoring }, rate, bits)
  }

  #measure(place: number): void {
    if (!this.#isTold[place]) this.#told++
    this.#isTold[place] = 1
    if (!this.#flat) return
    const { values } = this.#flat
    const model = this.#model
    const end = this.#starts[place + 1]!
    let far = 0
    for (let cell = this.#starts[place]!; cell < end; cell++) far += Math.abs(values[cell]! - model[cell]!)
    this.#far[place] = far
  }

  #distances(candidates: Spans, best: number) {
    const far = this.#far
    return {
      count: spansSize(candidates),
      best,
      at: (place: number) => far[spansAt(candidates, place)]!,
      all: () => this.#scores(candidates, {}, this.#flat!.scores)!,
    }
  }

  /** The greatest distance of these; undefined where none is known, or one is beyond 2^53. */
  #furthest(candidates: Spans): number | undefined {
    if (!this.#flat) return undefined
    const far = this.#far
    let best = -1
    for (const [first, last] of candidates)
      for (let place = first; place <= last; place++) if (far[place]! > best) best = far[place]!
    return best >= 0 && best <= most ? best : undefined
  }

  /** Undefined where one is beyond 2^53. */
  #scores(candidates: Spans, { weights, penalties }: Scoring, all: Float64Array): Float64Array | undefined {
    const scores = all.subarray(0, spansSize(candidates))
    const far = this.#far
    let c = 0
    for (const [first, last] of candidates)
      for (let place = first; place <= last; place++, c++) {
        const weighted = weights ? far[place]! * weights[c]! : far[place]!
        const score = penalties ? weighted - penalties[c]! : weighted
        // As in selectFurthest; a difference of whole numbers that is not exact is too large, or too small.
        if (!(weighted <= most && score <= most && score >= -most)) return undefined
        scores[c] = score
      }
    return scores
  }

  #modelOf(candidates: Spans): Float64Array {
    const starts = this.#starts
    const model = new Float64Array(
      candidates.reduce((sum, [first, last]) => sum + starts[last + 1]! - starts[first]!, 0),
    )
    let from = 0
    for (const [first, last] of candidates) {
      const own = this.#model.subarray(starts[first], starts[last + 1])
      model.set(own, from)
      from += own.length
    }
    return model
  }
}
