import { stoppingPoint } from '../interruption.ts'
import type { Bought } from '../meter.ts'
import { openJob } from './job.ts'
import { ireduct } from './methods/ireduct.ts'
import { iresamp } from './methods/iresamp.ts'
import { laplace } from './methods/laplace.ts'
import type { Measure } from './methods/method.ts'
import { twoPhase } from './methods/two-phase.ts'
import type { MarginalsContext, MarginalsRequest, MeasuredMarginals, Method } from './request.ts'

const methods: { readonly [M in Method]: Measure } = { laplace, 'two-phase': twoPhase, ireduct, iresamp }

/**
 * Measures marginals by a method, for ε in all. What cannot work is refused before anything is spent; only where the
 * number of records is bought, that it is too small for a method shows after. docs/algorithms/ireduct.md
 */
export async function measureMarginals<Receipt extends Bought>(
  request: MarginalsRequest,
  context: MarginalsContext<Receipt>,
): Promise<MeasuredMarginals<Receipt>> {
  await stoppingPoint(context.signal)
  const { job, receipts } = await openJob(request, context)
  await stoppingPoint(context.signal)
  const { marginals, receipt } = await methods[request.method](job, context)
  const { records, floor } = job
  return { marginals, ...(records !== undefined && { records }), floor, receipts: [...receipts, receipt] }
}
