import { stoppingPoint } from '../../interruption.ts'
import { deviationOf } from '../budget.ts'
import type { SynthMethod, SynthProgress } from '../method.ts'
import { fitMixture, MixtureModel } from '../model/mixture/index.ts'
import { planRecords, settleRecords } from '../records.ts'
import { allPairs, attributeLevels } from './candidates.ts'
import { measurePairs } from './measure-pairs.ts'
import { measureOneWay, oneWayPurchases } from './one-way.ts'
import { problemOf } from './problem.ts'
import { stagesOf } from './stages.ts'
import { boughtSteps, stepOf } from './steps.ts'

/** Where fitting begins, of the whole work. */
const fitFrom = 0.2

/**
 * Every pair of attributes once, at a coarseness that suits it, and an ensemble of mixtures fitted to all of them.
 * docs/algorithms/all-pairs.md
 */
export const pairs: SynthMethod = {
  plan(request, terms) {
    const { budget, steps } = planRecords(request, terms)
    const { oneWay, scores, tables, pairs, known } = stagesOf(budget, request.history, terms)
    const deviations = oneWay ? oneWayPurchases(oneWay, known, terms).map(({ law }) => deviationOf(law)) : []
    const whole = request.budget
    return {
      steps: [
        ...steps,
        ...stepOf('one-way marginals', oneWay, whole, deviations.length, deviations),
        ...stepOf('scores', scores, whole, pairs),
        ...stepOf('pairs', tables, whole, pairs),
      ],
    }
  },

  async make(request, context) {
    const { universe, random, signal } = context
    const progress = (share: number, doing: string) => context.progress?.({ share, doing } satisfies SynthProgress)
    await stoppingPoint(signal)
    // Refuses before anything is bought.
    pairs.plan(request, context)
    const settled = await settleRecords(request, context)
    const { count: records } = settled
    const stages = stagesOf(settled.budget, request.history, context)
    const { known, deviation } = stages
    progress(0.02, 'one-way marginals')
    const oneWay = await measureOneWay(stages.oneWay, { records, known }, context)
    const { counts } = oneWay
    const levels = attributeLevels(universe, counts, { records, deviation })
    const wanted = allPairs(universe, levels).filter(({ attributes }) => stages.isWanted(attributes))
    progress(0.05, `${wanted.length} pairs`)
    const measured = await measurePairs({ ...stages, records, counts, pairs: wanted }, context)
    const marginals = { oneWay: oneWay.marginals, pairs: measured.marginals }
    const problem = problemOf(universe, { records, counts, levels, known, deviation, ...marginals })
    const before = async (member: number, members: number) => {
      await stoppingPoint(signal)
      progress(fitFrom + ((1 - fitFrom) * member) / members, `fit ${member + 1} of ${members}`)
    }
    const mixture = await fitMixture(problem, { random, before })
    return {
      model: new MixtureModel(universe, records, mixture),
      steps: [...settled.steps, ...boughtSteps(request.budget, stages, { ...measured, oneWay, wanted: wanted.length })],
      receipts: [...settled.receipts, ...oneWay.receipts, ...measured.receipts],
    }
  },
}
