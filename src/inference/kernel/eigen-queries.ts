import { dot } from '../../numeric/index.ts'
import type { KernelHistory } from './cross-validation.ts'
import type { Feature } from './feature.ts'
import { scaledCovariances } from './kernel-answer.ts'
import { symmetricEigen } from './symmetric-eigen.ts'

/** Eigenvalues below this share of the largest are rounding: there is nothing in their direction. */
const rankTolerance = 1e-11

/** An eigenquery v = Σ w·q over the history's queries, in units of their noise. */
interface EigenQuery {
  readonly weights: Float64Array
  /** The least squares estimate of its answer, with a variance of 1/λ². */
  readonly estimate: number
  readonly square: number
}

/**
 * The estimate with parameter α as the paper has it (§3.1, §3.3): eigenqueries, the least squares estimates of their answers, and
 * weights α²/(α² + 1/λ²) between bias and variance. Slow: the twin that tests the fast form. The number of records is known; all
 * queries are less their means under the prior, which is what a universal query without noise comes to.
 */
export class EigenQueries {
  readonly #history: KernelHistory
  readonly #records: number
  readonly #queries: readonly EigenQuery[]

  constructor(history: KernelHistory, records: number) {
    const { values, vectors } = symmetricEigen(history.rows)
    const least = rankTolerance * values.reduce((most, value) => Math.max(most, value), 0)
    const answers = Float64Array.from(history.answers, (a) => (a.value - records * a.feature.expected) / a.deviation)
    this.#history = history
    this.#records = records
    this.#queries = vectors.flatMap((vector, i): EigenQuery[] => {
      const square = values[i]!
      if (!(square > least)) return []
      const weights = vector.map((value) => value / Math.sqrt(square))
      return [{ weights, estimate: dot(weights, answers), square }]
    })
  }

  /** Number of eigenqueries: the rank of the history. */
  get rank(): number {
    return this.#queries.length
  }

  /** Of a scalar query's feature. */
  estimate(feature: Feature, alpha: number): number {
    const covariances = scaledCovariances(feature, this.#history.answers)
    return this.#queries.reduce((sum, { weights, estimate, square }) => {
      const share = alpha === Infinity ? 1 : 1 / (1 + 1 / (alpha ** 2 * square))
      return sum + share * dot(weights, covariances) * estimate
    }, this.#records * feature.expected)
  }
}
