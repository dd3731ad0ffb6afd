import { answerSize, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { cellQuery } from '../blue/cell-query.ts'
import type { HistoryModel, ModelEstimate } from '../history-model.ts'
import type { Feature, Features } from './feature.ts'

/** An error takes a square of the number of answers in multiplications; no more of them are made for one question. */
const mostWork = 1e10

/** The kernel estimate of scalar queries, for some α. */
export interface Estimator {
  /** Number of answers. */
  readonly size: number
  /** Of the table, known or told by the answers. */
  readonly records: number
  estimate(feature: Feature): number
  /** Of the answers' own queries, in their order. */
  fitted(): Float64Array
  /** Mean products of the errors of two estimates each; NaN where nothing is known of them. */
  errorProducts(pairs: readonly (readonly [Feature, Feature])[]): Float64Array
}

/** The kernel estimate of any query. Its errors are expectations over tables as the prior and α have them. */
export class KernelModel implements HistoryModel {
  readonly kind = 'kernel'
  readonly parameters: HistoryModel['parameters']
  readonly warnings: readonly string[]
  readonly #universe: Universe
  readonly #features: Features
  readonly #estimator: Estimator

  constructor(
    estimator: Estimator,
    about: Pick<HistoryModel, 'parameters' | 'warnings'> & {
      readonly universe: Universe
      readonly features: Features
    },
  ) {
    this.#estimator = estimator
    this.#universe = about.universe
    this.#features = about.features
    this.parameters = about.parameters
    this.warnings = about.warnings
  }

  estimates(query: LinearQuery): ModelEstimate[] {
    const features = this.#featuresOf(query)
    const errors = this.#errors(features.map((feature) => [feature, feature]))
    return features.map((feature, i) => {
      const estimate = this.#estimator.estimate(feature)
      // Rounding may take a square below 0.
      return Number.isFinite(errors[i]) ? { estimate, error: Math.sqrt(Math.max(0, errors[i]!)) } : { estimate }
    })
  }

  /** The estimates without their errors, which take far longer. */
  answers(query: LinearQuery): number[] {
    return this.#featuresOf(query).map((feature) => this.#estimator.estimate(feature))
  }

  /** The estimates of the released numbers themselves, in their order: all at once, they take no time. */
  fitted(): Float64Array {
    return this.#estimator.fitted()
  }

  covariances(first: LinearQuery, second: LinearQuery): Float64Array {
    const others = this.#featuresOf(second)
    const pairs = this.#featuresOf(first).map((feature, i) => [feature, others[i]!] as const)
    return this.#errors(pairs)
  }

  /** Of too many groups no errors are told. */
  #errors(pairs: readonly (readonly [Feature, Feature])[]): Float64Array {
    const isTooMuch = pairs.length * this.#estimator.size ** 2 > mostWork
    return isTooMuch ? new Float64Array(pairs.length).fill(Number.NaN) : this.#estimator.errorProducts(pairs)
  }

  #featuresOf(query: LinearQuery): Feature[] {
    const groups = answerSize(query, this.#universe)
    return Array.from({ length: groups }, (_, group) => this.#features.of(cellQuery(query, this.#universe, group)))
  }
}
