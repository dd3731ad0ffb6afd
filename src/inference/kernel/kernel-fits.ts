import type { TableModel } from '../../model/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import type { PastAnswers } from '../history-model.ts'
import { type ChosenAlpha, heldOutAlpha, validatedAlpha } from './alpha.ts'
import { CrossValidation, drawnFolds, type KernelHistory } from './cross-validation.ts'
import { EigenQueries } from './eigen-queries.ts'
import { Features } from './feature.ts'
import { judgeOf } from './judge.ts'
import { type KernelAnswer, kernelAnswers, kernelRows, mostOfTable } from './kernel-answer.ts'
import { KernelEstimator } from './kernel-estimator.ts'
import { type Estimator, type Judge, KernelModel } from './kernel-model.ts'
import { type PriorTables, priorOf } from './prior/prior.ts'
import { SpanEstimator } from './span-estimator.ts'

/** Those of all answers that are combined. */
export type Choose = (answers: readonly KernelAnswer[]) => readonly KernelAnswer[]

/**
 * Of so many answers it is found out whether some depend on others, which costs the fast form digits: it takes some hundredths of a second. Of
 * more, up to a second, only where rounding, as it is amplified there, would be seen.
 */
const [alwaysSpanned, mostSpanned] = [256, 1000]
const visible = 1e-11

const everything: Choose = (answers) => answers

interface FitsOptions {
  readonly choose?: Choose
  /** The table that is believed in before any answer, where that is not the prior's. */
  readonly expected?: TableModel | undefined
  /** Noisy numbers of the history that are not among the past answers. */
  readonly unseen?: number
}

/** A history under a prior: its kernel matrix, and the estimates for any α that are made from it. */
export class KernelFits {
  readonly #past: PastAnswers
  readonly #features: Features
  readonly #history: KernelHistory
  readonly #leftOut: number

  constructor(past: PastAnswers, prior: PriorTables, { choose = everything, expected, unseen = 0 }: FitsOptions = {}) {
    const { universe, measurements, records } = past
    this.#past = past
    this.#features = new Features(universe, priorOf(universe, prior), expected)
    const all = measurements.flatMap((measurement) => kernelAnswers(measurement, universe, this.#features))
    const answers = choose(all)
    if (answers.length === 0) throw problem('not-estimable', 'the history tells nothing about any record')
    this.#history = { answers, rows: kernelRows(answers), ...(records !== undefined && { records }) }
    const beyond = measurements.reduce((sum, { values }) => sum + Math.max(0, values.length - mostOfTable), 0)
    this.#leftOut = all.length - answers.length + beyond + unseen
  }

  /** With the α that tells answers best from others. */
  validated(random: () => number): KernelModel {
    const { alpha, expected } = validatedAlpha(this.#history, random)
    return this.model(alpha, { expected })
  }

  /** The α, or what is to be said of a given one, by the answers of measurements that the prior has not seen. */
  heldOut(ids: ReadonlySet<string>, random: () => number, given?: number): ChosenAlpha | undefined {
    const places = this.#history.answers.flatMap(({ id }, place) => (id !== undefined && ids.has(id) ? [place] : []))
    return heldOutAlpha(this.#history, places, random, given)
  }

  /** Tells the errors of a model whose α was chosen by the answers. */
  judge({ parameters: { alpha, records } }: KernelModel): Judge {
    const { answers, records: known } = this.#history
    const about = { universe: this.#past.universe, features: this.#features, answers, records: known }
    return judgeOf(about, { alpha: Number(alpha), records: Number(records) })
  }

  model(alpha: number, { expected, prior }: ModelAccount = {}): KernelModel {
    const estimator = this.#estimator(alpha)
    const { records, size } = estimator
    if (!Number.isFinite(records))
      throw problem('not-estimable', 'the history does not determine the number of records, which a model needs')
    return new KernelModel(estimator, {
      universe: this.#past.universe,
      features: this.#features,
      parameters: {
        alpha,
        records,
        answers: size,
        ...(prior && { prior }),
        ...(expected !== undefined && { validatedError: expected }),
      },
      warnings: this.#leftOut > 0 ? [leftOutText(this.#leftOut, size + this.#leftOut)] : [],
    })
  }

  #estimator(alpha: number): Estimator {
    const { answers, rows, records } = this.#history
    if (alpha === Infinity || (records !== undefined && this.#isWorthSpanning(alpha))) {
      const span = new SpanEstimator(answers, rows, { alpha, ...(records !== undefined && { records }) })
      if (alpha === Infinity || span.rank < answers.length) return span
    }
    const estimator = new KernelEstimator({ alpha, ...(records !== undefined && { records }) })
    estimator.append(answers, rows)
    return estimator
  }

  #isWorthSpanning(alpha: number): boolean {
    const { rows } = this.#history
    if (rows.length <= alwaysSpanned) return true
    const most = rows.reduce((largest, row, i) => Math.max(largest, row[i]!), 0)
    return rows.length <= mostSpanned && alpha ** 2 * most * Number.EPSILON > visible
  }

  /** To see the error that cross-validation tells for any α. */
  crossValidation(folds: number, random: () => number): CrossValidation {
    return new CrossValidation(this.#history, drawnFolds(this.#history.answers.length, folds, random))
  }

  /** The paper's form of the estimates, for a known number of records and a short history. */
  eigenForm(): EigenForm {
    const { records } = this.#history
    if (records === undefined) throw problem('not-supported', 'eigenqueries need a known number of records')
    const queries = new EigenQueries(this.#history, records)
    return { rank: queries.rank, estimate: (query, alpha) => queries.estimate(this.#features.of(query), alpha) }
  }
}

/** What is known of a model beside its α. */
interface ModelAccount {
  /** The root mean squared error that cross-validation tells, in units of the noise. */
  readonly expected?: number | undefined
  /** What was believed before any answer, where that is no product of single attributes. */
  readonly prior?: string
}

interface EigenForm {
  /** Number of eigenqueries. */
  readonly rank: number
  /** Of a scalar query. */
  estimate(query: LinearQuery, alpha: number): number
}

const leftOutText = (leftOut: number, all: number): string =>
  `${leftOut.toLocaleString('en')} of ${all.toLocaleString('en')} released numbers were left out: the least informative ones.`
