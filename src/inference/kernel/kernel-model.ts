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
  readonly #judge: KernelModel

  /** `judge`: a model that is no better, whose errors are told in place of its own. */
  constructor(
    estimator: Estimator,
    about: Pick<HistoryModel, 'parameters' | 'warnings'> & {
      readonly universe: Universe
      readonly features: Features
      readonly judge?: KernelModel | undefined
    },
  ) {
    this.#estimator = estimator
    this.#judge = about.judge ?? this
    this.#universe = about.universe
    this.#features = about.features
    this.parameters = about.parameters
    this.warnings = about.warnings
  }

  estimates(query: LinearQuery): ModelEstimate[] {
    const errors = this.#judge.#errors(query, query)
    return this.#featuresOf(query).map((feature, i) => {
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
    return this.#judge.#errors(first, second)
  }

  /** Of too many groups no errors are told. */
  #errors(first: LinearQuery, second: LinearQuery): Float64Array {
    const groups = answerSize(first, this.#universe)
    if (groups * this.#estimator.size ** 2 > mostWork) return new Float64Array(groups).fill(Number.NaN)
    const left = this.#featuresOf(first)
    const right = first === second ? left : this.#featuresOf(second)
    return this.#estimator.errorProducts(left.map((feature, i) => [feature, right[i]!]))
  }

  #featuresOf(query: LinearQuery): Feature[] {
    const groups = answerSize(query, this.#universe)
    return Array.from({ length: groups }, (_, group) => this.#features.of(cellQuery(query, this.#universe, group)))
  }
}
