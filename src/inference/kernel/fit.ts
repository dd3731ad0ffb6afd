import { usage } from '../../schema/index.ts'
import { mostTelling } from '../fitted/most-telling.ts'
import { refuseNoRecords } from '../fitted/no-records.ts'
import { refuseContradiction } from '../fitted/public-records.ts'
import { atOnce, type Steps, withPauses } from '../fitted/steps.ts'
import type { FittingOptions } from '../fitted/table-history-model.ts'
import type { PastAnswers } from '../history-model.ts'
import { covariance } from './feature.ts'
import type { KernelAnswer } from './kernel-answer.ts'
import { type Choose, KernelFits } from './kernel-fits.ts'
import type { Judge, KernelModel } from './kernel-model.ts'
import { learnedPrior } from './prior/learned-prior.ts'
import { mixturePrior } from './prior/mixture-prior.ts'
import type { PriorTables } from './prior/prior.ts'

interface KernelOptions {
  /** Between bias and variance: the larger, the less is believed of the prior. Chosen by cross-validation unless given. */
  readonly alpha?: number
  /**
   * What is believed of single attributes before any answer; `[]`: all codes alike. Unless given, what the history tells of them and, where
   * that tells held-out answers better, of how they go together.
   */
  readonly prior?: PriorTables
  /** Learn nothing of how attributes go together: several times as quick, and errors are told by this form anyway. */
  readonly isPlain?: boolean
  /** More noisy numbers are not combined, but those that tell most by themselves. */
  readonly mostAnswers?: number
  /** Uniform below 1. */
  readonly random: () => number
}

/** Noisy numbers that are combined, unless given: their matrix and its factor take 200 MB. */
const mostCombined = 5000

/** They are chosen among so many: a number that is looked at takes three kilobytes, and is looked at several times. */
const mostLookedAt = 20_000

/** The kernel estimate of everything, from the history alone. */
export const fitKernel = (past: PastAnswers, options: KernelOptions): KernelModel => atOnce(kernelSteps(past, options))

/** The same, with pauses: from thousands of answers it takes half a minute. */
export const fitKernelInSteps = (
  past: PastAnswers,
  { pause, ...options }: KernelOptions & Pick<FittingOptions, 'pause'>,
): Promise<KernelModel> => withPauses(kernelSteps(past, options), pause)

function* kernelSteps(given: PastAnswers, options: KernelOptions): Steps<KernelModel> {
  const { alpha, random, mostAnswers = mostCombined } = options
  if (alpha !== undefined && !(alpha > 0)) throw usage('α must be a number above 0')
  refuseContradiction(given)
  if (given.records !== undefined) refuseNoRecords(given.records, 'public')
  const past = mostTelling(given, mostLookedAt)
  yield 'prior'
  const prior = options.prior ?? learnedPrior(given, random)
  yield 'kernel matrix'
  const choose: Choose = (all) => mostTellingOf(all, mostAnswers)
  const unseen = numbersIn(given) - numbersIn(past)
  const fits = new KernelFits(past, prior, { choose, unseen })
  yield alpha === undefined ? 'choosing α' : 'fit'
  const plain = alpha === undefined ? fits.validated(random) : fits.model(alpha)
  refuseNoRecords(Number(plain.parameters.records), 'answers')
  // Whoever gives an α has said how far counts are from the prior.
  const judge: Judge = alpha === undefined ? fits.judge(plain) : () => plain
  const judged = alpha === undefined ? plain.withJudge(judge) : plain
  if (options.prior !== undefined || options.isPlain || alpha === Infinity) return judged
  const records = Number(plain.parameters.records)
  const better = yield* mixturePrior(past, prior, { records, random, ...(alpha !== undefined && { alpha }) })
  if (!better) return judged
  yield 'fit'
  const mixed = new KernelFits(past, prior, { choose, unseen, expected: better.table })
  // A mixture that has seen the answers cannot say how far it is off.
  return mixed.model(better.alpha, { prior: 'mixture' }).withJudge(judge)
}

const numbersIn = ({ measurements }: PastAnswers): number =>
  measurements.reduce((sum, { values }) => sum + values.length, 0)

/** By how much each would narrow, alone, what the prior leaves open about its own question. */
function mostTellingOf(answers: readonly KernelAnswer[], most: number): readonly KernelAnswer[] {
  if (answers.length <= most) return answers
  const tells = (answer: KernelAnswer) => covariance(answer.feature, answer.feature) / answer.deviation ** 2
  const ranked = answers.map((answer, place) => ({ answer, place, tells: tells(answer) }))
  ranked.sort((a, b) => b.tells - a.tells)
  return ranked
    .slice(0, most)
    .sort((a, b) => a.place - b.place)
    .map(({ answer }) => answer)
}
