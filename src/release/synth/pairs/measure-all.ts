import { stoppingPoint } from '../../interruption.ts'
import type { Bought } from '../../meter.ts'
import type { SynthContext, SynthStep } from '../method.ts'
import { settleRecords } from '../records.ts'
import { allPairs, attributeLevels } from './candidates.ts'
import { measurePairs } from './measure-pairs.ts'
import { measureOneWay } from './one-way.ts'
import type { Measured } from './problem.ts'
import { knownOf, type PairsRequest, stagesOf } from './stages.ts'
import { boughtSteps } from './steps.ts'

/** All that the method buys, and what is known besides: what follows looks at nothing else. */
interface MeasuredTable<Receipt extends Bought> extends Measured {
  readonly steps: readonly SynthStep[]
  readonly receipts: readonly Receipt[]
}

/** One-way marginals first; they settle how coarse pairs may be, and then all pairs are measured. */
export async function measureAllPairs<Receipt extends Bought>(
  request: PairsRequest,
  context: SynthContext<Receipt>,
): Promise<MeasuredTable<Receipt>> {
  const { universe, signal, progress } = context
  await stoppingPoint(signal)
  // Refuses what cannot work before anything is bought.
  stagesOf(request.budget, knownOf(request), context)
  const settled = await settleRecords(request, context)
  const stages = stagesOf(settled.budget, { ...knownOf(request), records: settled.count }, context)
  const { known, deviation } = stages
  progress?.({ share: 0.02, doing: 'one-way marginals' })
  const oneWay = await measureOneWay(stages.oneWay, { records: settled, known }, context)
  const { counts, records } = oneWay
  const levels = attributeLevels(universe, counts, { records, deviation })
  const wanted = allPairs(universe, levels).filter(({ attributes }) => stages.isWanted(attributes))
  progress?.({ share: 0.05, doing: `${wanted.length} pairs` })
  const measured = await measurePairs({ ...stages, records, counts, pairs: wanted }, context)
  return {
    ...{ records, counts, levels, known, deviation, oneWay: oneWay.marginals, pairs: measured.marginals },
    isScored: measured.scores > 0,
    steps: [...settled.steps, ...boughtSteps(request.budget, stages, { ...measured, oneWay, wanted: wanted.length })],
    receipts: [...settled.receipts, ...oneWay.receipts, ...measured.receipts],
  }
}
