import { answerSize, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { cellQuery } from '../blue/cell-query.ts'
import { judgedBy } from '../fitted/judged-model.ts'
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

/** A model that tells what others are off by; made when an error is first asked for. */
export type Judge = () => KernelModel

/** What a model is about, and whose errors are told in place of its own: its own are expectations over tables as its prior and its α have them. */
interface ModelContext extends Pick<HistoryModel, 'parameters' | 'warnings'> {
  readonly universe: Universe
  readonly features: Features
  readonly judge?: Judge | undefined
}

/** The kernel estimate of any query. */
export class KernelModel implements HistoryModel {
  readonly kind = 'kernel'
  readonly parameters: HistoryModel['parameters']
  readonly warnings: readonly string[]
  readonly #context: ModelContext
  readonly #estimator: Estimator

  constructor(estimator: Estimator, context: ModelContext) {
    this.#estimator = estimator
    this.#context = context
    this.parameters = context.parameters
    this.warnings = context.warnings
  }

  /** The same estimates, with what another model takes their errors for. */
  withJudge(judge: Judge): KernelModel {
    return new KernelModel(this.#estimator, { ...this.#context, judge })
  }

  /** Whoever tells the errors. */
  get judge(): KernelModel {
    return this.#context.judge?.() ?? this
  }

  get #judged(): HistoryModel {
    const { kind, parameters, warnings } = this
    const estimates = (query: LinearQuery) => this.answers(query).map((estimate) => ({ estimate }))
    return judgedBy({ kind, parameters, warnings, estimates }, this.judge)
  }

  estimates(query: LinearQuery): readonly ModelEstimate[] {
    if (this.#context.judge) return this.#judged.estimates(query)
    const errors = this.#errors(query, query)
    return this.answers(query).map((estimate, i) =>
      // Rounding may take a square below 0.
      Number.isFinite(errors[i]) ? { estimate, error: Math.sqrt(Math.max(0, errors[i]!)) } : { estimate },
    )
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
    return this.#context.judge ? this.#judged.covariances!(first, second) : this.#errors(first, second)
  }

  /** Of too many groups no errors are told. */
  #errors(first: LinearQuery, second: LinearQuery): Float64Array {
    const groups = answerSize(first, this.#context.universe)
    if (groups * this.#estimator.size ** 2 > mostWork) return new Float64Array(groups).fill(Number.NaN)
    const left = this.#featuresOf(first)
    const right = first === second ? left : this.#featuresOf(second)
    return this.#estimator.errorProducts(left.map((feature, i) => [feature, right[i]!]))
  }

  #featuresOf(query: LinearQuery): Feature[] {
    const { universe, features } = this.#context
    const groups = answerSize(query, universe)
    return Array.from({ length: groups }, (_, group) => features.of(cellQuery(query, universe, group)))
  }
}
