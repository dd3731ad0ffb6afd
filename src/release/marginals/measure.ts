import { stoppingPoint } from '../interruption.ts'
import type { Bought } from '../meter.ts'
import type { MeasuredMarginal } from './method.ts'
import { type MarginalsRequest, methodOf, needsRecords } from './methods/index.ts'
import type { MarginalsContext } from './request.ts'
import { settle } from './settled-request.ts'

export interface MeasuredMarginals<Receipt extends Bought = Bought> {
  readonly marginals: readonly MeasuredMarginal[]
  /** The number of records that scales and floor were computed from, if any, and the floor. */
  readonly records?: number
  readonly floor: number
  /** What was bought, in order: the method's own purchase is the last. */
  readonly receipts: readonly Receipt[]
}

/**
 * Measures marginals by a method, within the whole budget. Requests that cannot work are refused before anything is
 * spent; only if the number of records is bought, it may turn out afterwards to be too small for the method.
 * docs/algorithms/ireduct.md
 */
export async function measureMarginals<Receipt extends Bought>(
  request: MarginalsRequest,
  context: MarginalsContext<Receipt>,
): Promise<MeasuredMarginals<Receipt>> {
  const method = methodOf(request)
  await stoppingPoint(context.signal)
  const { settled, receipts } = await settle(request, needsRecords(request), context)
  await stoppingPoint(context.signal)
  const { marginals, receipt } = await method.measure(settled, context)
  const { records, floor } = settled
  return { marginals, ...(records !== undefined && { records }), floor, receipts: [...receipts, receipt] }
}
