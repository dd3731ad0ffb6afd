import type { Universe } from '../../schema/index.ts'
import { covariance, type Feature, type Features, singleCovariance } from './feature.ts'
import type { KernelAnswer } from './kernel-answer.ts'
import { KernelEstimator } from './kernel-estimator.ts'
import { type Judge, KernelModel } from './kernel-model.ts'

/**
 * What α is at least where errors are told, as shares of the number of records: for what counts have of single attributes, and for how
 * attributes go together. docs/algorithms/kernel.md#errors
 */
const leastShare = { single: 0.5, together: 0.1 }
/** All records in one cell, drawn from the prior: counts do not vary by more. */
const mostShare = 1

interface Judged {
  readonly universe: Universe
  readonly features: Features
  readonly answers: readonly KernelAnswer[]
  /** Where it is known without noise. */
  readonly records: number | undefined
}

/**
 * Tells what estimates are off by. An α that was chosen by the answers is right for questions like theirs, and says nothing of others: a
 * learned prior that explains all answers makes it as small as can be. So counts are taken to vary by more than that, and most by what
 * a few answers cannot say of single attributes. `alpha` is the chosen one, `records` the number of records that it belongs to.
 */
export function judgeOf(
  { universe, features, answers, records }: Judged,
  chosen: { alpha: number; records: number },
): Judge {
  let made: KernelModel | undefined
  return () => {
    if (made) return made
    const n = Math.max(1, chosen.records)
    const within = (least: number) => n * Math.min(mostShare, Math.max(least, chosen.alpha / n))
    const alpha = within(leastShare.together)
    const more = (within(leastShare.single) / alpha) ** 2 - 1
    const kernel = (q: Feature, r: Feature) => covariance(q, r) + more * singleCovariance(q, r)
    const estimator = new KernelEstimator({ alpha, kernel, ...(records !== undefined && { records }) })
    estimator.append(answers)
    made = new KernelModel(estimator, { universe, features, parameters: { alpha }, warnings: [] })
    return made
  }
}
