import { laplaceVariance, toNumber } from '../../../numeric/index.ts'
import { equalScale, priceOf } from '../share.ts'
import type { Measure } from './method.ts'

/** Equal scales for all (Dwork et al.; §2.2). */
export const laplace: Measure = async (job, { meter, progress }) => {
  const exact = equalScale(job.unitScales, job.epsilon)
  const receipt = await meter.measure(job.queries.map((query) => ({ query, law: { kind: 'laplace', scale: exact } })))
  progress?.(1)
  const scale = toNumber(exact)
  const marginals = job.queries.map((query, j) => ({
    attributes: job.marginals[j]!,
    query,
    values: Float64Array.from(receipt.measurements[j]!.values, Number),
    scale,
    variance: laplaceVariance(scale),
    epsilon: toNumber(priceOf(job.unitScales[j]!, exact)),
    // All are bought, or none.
    heldBack: false,
  }))
  return { marginals, receipt }
}
