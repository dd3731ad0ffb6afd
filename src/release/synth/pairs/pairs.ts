import { fitMixture, MixtureModel } from '../../../model/index.ts'
import { noiseDeviation } from '../../../query/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { sumOf } from '../budget.ts'
import type { SynthMethod } from '../method.ts'
import { planRecords } from '../records.ts'
import { measureAllPairs } from './measure-all.ts'
import { oneWayPurchases } from './one-way.ts'
import { problemOf } from './problem.ts'
import { rehearse } from './rehearsal.ts'
import { knownOf, type PairsRequest, stagesOf } from './stages.ts'
import { stepOf } from './steps.ts'

/** Where fitting begins, of the whole work. */
const fitFrom = 0.2

/**
 * Every pair of attributes once, at a coarseness that suits it, and an ensemble of mixtures fitted to all of them.
 * docs/algorithms/all-pairs.md
 */
export const pairs: SynthMethod<PairsRequest> = {
  plan(request, terms) {
    const { budget, steps } = planRecords(request, terms)
    const { oneWay, scores, tables, pairs, known } = stagesOf(budget, knownOf(request), terms)
    const deviations = oneWay ? oneWayPurchases(oneWay, known, terms).map(({ law }) => noiseDeviation(law)) : []
    const whole = request.budget
    // In ε it depends on the attributes' counts whether scores are worth their price.
    const [first, rest] = scores && tables && !whole.rho ? [undefined, sumOf(scores, tables)] : [scores, tables]
    return {
      steps: [
        ...steps,
        ...stepOf('one-way marginals', oneWay, whole, deviations.length, deviations),
        ...stepOf('scores', first, whole, pairs),
        ...stepOf('pairs', rest, whole, pairs),
      ],
    }
  },

  async make(request, context) {
    const { universe, random, signal } = context
    const { records, steps, receipts, ...measured } = await measureAllPairs(request, context)
    const before = async (member: number, members: number) => {
      await stoppingPoint(signal)
      const share = fitFrom + ((1 - fitFrom) * member) / members
      context.progress?.({ share, doing: `fit ${member + 1} of ${members}` })
    }
    const mixture = await fitMixture(problemOf(universe, { records, ...measured }), { random, before })
    const model = new MixtureModel(universe, records, mixture)
    const isPure = request.budget.rho === undefined
    const rehearsal = () => rehearse(model, { records, ...measured }, { random, isPure })
    return { model, steps, receipts, rehearsal }
  },
}
