import { cholesky, dot, type Triangle } from '../../numeric/index.ts'
import { covariance, type Feature } from './feature.ts'
import { type KernelAnswer, scaledCovariances } from './kernel-answer.ts'
import { pivotedCholesky } from './pivoted-cholesky.ts'

/** What is left of a query, beside what the answers' queries span, below this share of it is rounding. */
const spanTolerance = 1e-9

/** What COUNT(*) adds for a record. */
const everyRecord: Feature = {
  pieces: [{ kind: 'product', coefficient: 1, attributes: [], columns: [] }],
  mean: 1,
  expected: 1,
  step: 1,
}

interface SpanBelief {
  /** As the fast form has it; ∞: nothing is believed of the prior. */
  readonly alpha: number
  /** The number of records, where it is known without noise. A finite α needs it. */
  readonly records?: number
}

/**
 * The estimate in terms of what the answers' queries span: they are U, combinations of r orthonormal ones, and those are estimated by least
 * squares, with a ridge of 1/α². At α = ∞ it is the best linear unbiased one of every query that the answers determine, and for any other
 * that of the nearest query that they do. At a finite α it is that of the fast form, without the weights that contradictions between
 * dependent answers have there, and in several times the time.
 */
export class SpanEstimator {
  readonly #answers: readonly KernelAnswer[]
  readonly #alpha: number
  /** Without it the number of records is one of the things that the answers tell. */
  readonly #known: number | undefined
  readonly #pivots: readonly number[]
  readonly #corner: Triangle
  readonly #precision: Triangle
  readonly #estimates: Float64Array

  constructor(answers: readonly KernelAnswer[], rows: readonly Float64Array[], { alpha, records }: SpanBelief) {
    this.#answers = answers
    this.#alpha = alpha
    this.#known = records
    const means = Float64Array.from(answers, ({ feature, deviation }) => feature.mean / deviation)
    const whole =
      records === undefined ? rows.map((row, i) => row.map((value, j) => value + means[i]! * means[j]!)) : rows
    const { pivots, columns, corner } = pivotedCholesky(whole)
    this.#pivots = pivots
    this.#corner = corner
    this.#precision = cholesky(
      columns.map((column, i) =>
        Float64Array.from(columns.slice(0, i + 1), (c, j) => dot(c, column) + (i === j ? alpha ** -2 : 0)),
      ),
    )
    const values = Float64Array.from(
      answers,
      ({ feature, value, deviation }) => (value - (records ?? 0) * feature.expected) / deviation,
    )
    this.#estimates = Float64Array.from(columns, (column) => dot(column, values))
    this.#precision.solve(this.#estimates)
    this.#precision.solveTransposed(this.#estimates)
  }

  get size(): number {
    return this.#answers.length
  }

  /** Number of orthonormal queries. */
  get rank(): number {
    return this.#pivots.length
  }

  get records(): number {
    return this.#known ?? this.estimate(everyRecord)
  }

  estimate(feature: Feature): number {
    return (this.#known ?? 0) * feature.expected + dot(this.#coordinates(feature), this.#estimates)
  }

  fitted(): Float64Array {
    return Float64Array.from(this.#answers, ({ feature }) => this.estimate(feature))
  }

  /** At α = ∞ NaN where the answers do not determine one of the two: then nothing is known of the bias. */
  errorProducts(pairs: readonly (readonly [Feature, Feature])[]): Float64Array {
    return Float64Array.from(pairs, ([q, r]) => {
      const [x, y] = [this.#coordinates(q), this.#coordinates(r)]
      const bias = this.#biasProduct([q, x], [r, y])
      this.#precision.solve(x)
      this.#precision.solve(y)
      return bias + dot(x, y)
    })
  }

  /** Of what the answers do not span. */
  #biasProduct([q, x]: readonly [Feature, Float64Array], [r, y]: readonly [Feature, Float64Array]): number {
    if (this.#alpha < Infinity) return this.#alpha ** 2 * (covariance(q, r) - dot(x, y))
    return this.#isSpanned(q, x) && this.#isSpanned(r, y) ? 0 : Number.NaN
  }

  #isSpanned(feature: Feature, coordinates: Float64Array): boolean {
    const length = covariance(feature, feature) + (this.#known === undefined ? feature.mean ** 2 : 0)
    return length - dot(coordinates, coordinates) <= spanTolerance * length
  }

  /** In the orthonormal queries. */
  #coordinates(feature: Feature): Float64Array {
    const chosen = this.#pivots.map((pivot) => this.#answers[pivot]!)
    const row = scaledCovariances(feature, chosen)
    if (this.#known === undefined)
      for (const [i, answer] of chosen.entries()) row[i]! += (feature.mean * answer.feature.mean) / answer.deviation
    this.#corner.solve(row)
    return row
  }
}
