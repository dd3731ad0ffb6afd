import { problem } from '../../schema/index.ts'
import type { PastAnswers } from '../history-model.ts'
import { covariance, Features } from './feature.ts'
import { type KernelAnswer, kernelAnswers } from './kernel-answer.ts'
import { KernelEstimator } from './kernel-estimator.ts'
import { KernelModel } from './kernel-model.ts'
import { priorOf } from './prior.ts'

interface KernelOptions {
  /** Between bias and variance: the larger, the less is believed of the prior. Chosen by the answers unless given. */
  readonly alpha?: number
  /** Per attribute a weight for each code, undefined where all are alike: what is believed before any answer. */
  readonly prior?: readonly (ArrayLike<number> | undefined)[]
  /** Uniform below 1. */
  readonly random: () => number
}

/** The kernel estimate of everything, from the history alone. */
export function fitKernel(past: PastAnswers, options: KernelOptions): KernelModel {
  const { universe, records } = past
  const features = new Features(universe, priorOf(universe, options.prior ?? []))
  const answers = past.measurements.flatMap((measurement) => kernelAnswers(measurement, universe, features))
  if (answers.length === 0) throw problem('not-estimable', 'the history tells nothing about any record')
  const alpha = options.alpha ?? typicalAlpha(answers, records)
  const estimator = new KernelEstimator({ alpha, ...(records !== undefined && { records }) })
  estimator.append(answers)
  return new KernelModel(estimator, {
    universe,
    features,
    parameters: { alpha, answers: answers.length },
    warnings: [],
  })
}

/** The α at which answers are as far from the prior's, on average, as they are. */
function typicalAlpha(answers: readonly KernelAnswer[], records: number | undefined): number {
  const weighted = (of: (answer: KernelAnswer) => number) =>
    answers.reduce((sum, answer) => sum + of(answer) / answer.deviation ** 2, 0)
  const means = weighted(({ feature }) => feature.mean ** 2)
  const count = records ?? weighted(({ feature, value }) => feature.mean * value) / means
  const excess = weighted(({ feature, value, deviation }) => (value - count * feature.mean) ** 2 - deviation ** 2)
  const spread = weighted(({ feature }) => covariance(feature, feature))
  const least = Math.max(1, Math.abs(count))
  return Math.sqrt(Math.max(least, spread > 0 ? excess / spread : 0))
}
