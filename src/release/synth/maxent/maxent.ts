import { fitMaxent } from '../../../inference/index.ts'
import { countAll, queryKey } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { measureMarginals } from '../../marginals/measure.ts'
import { type MarginalsRequest, type MethodName, methodNamed } from '../../marginals/methods/index.ts'
import { firstLook, planScales } from '../../marginals/plan.ts'
import { allWays } from '../../marginals/selection.ts'
import type { SynthMethod, SynthPlan, SynthRequest, SynthStep, SynthTerms } from '../method.ts'

/** Which marginals a model of maximum entropy is fitted to, and how they are bought. */
export interface MaxentRequest extends SynthRequest {
  /** All marginals over so many attributes: 2, or 1 where there is but one, unless said. */
  readonly ways?: number
  /** A method of `release marginals`: equal noise unless said. */
  readonly marginals?: MethodName
}

/** Where fitting begins, of the whole work. */
const fitFrom = 0.2

/**
 * All marginals over k attributes, bought by any method that releases them, and the distribution of the largest entropy that agrees with
 * them and with the history. docs/algorithms/maximum-entropy.md
 */
export const maxent: SynthMethod<MaxentRequest> = {
  plan(request, terms) {
    const wanted = wantedOf(request, terms)
    const { records } = request
    const isKnown = records.kind === 'known' || wanted.records.kind === 'unneeded'
    return isKnown ? plannedWith(request, wanted, terms) : { steps: stepsOf(wanted) }
  },

  async make(request, context) {
    const { universe, random, signal, progress } = context
    const wanted = wantedOf(request, context)
    const { marginals, receipts } = await measureMarginals(wanted, {
      ...context,
      progress: (share) => progress?.({ share: fitFrom * share, doing: 'marginals' }),
    })
    const all = [...request.history, ...receipts.flatMap(({ measurements }) => measurements)]
    const exact = all.find(({ query, law }) => law.kind === 'none' && queryKey(query) === queryKey(countAll))
    const past = {
      universe,
      measurements: all.filter(({ law }) => law.kind !== 'none'),
      ...(exact && { records: Number(exact.values[0]) }),
    }
    const pause = async (share: number, doing: string) => {
      await stoppingPoint(signal)
      progress?.({ share: fitFrom + (1 - fitFrom) * share, doing })
    }
    const deviations = marginals.map(({ variance }) => Math.sqrt(variance))
    const { table, parameters, warnings } = await fitMaxent(past, { random, pause })
    return { model: table, steps: stepsOf(wanted, rangeOf(deviations)), receipts, fit: { parameters, warnings } }
  },
}

const rangeOf = (deviations: readonly number[]): SynthStep['deviation'] => [
  Math.min(...deviations),
  Math.max(...deviations),
]

/** As `release marginals` takes it. */
function wantedOf({ budget, records, ways, marginals }: MaxentRequest, { universe }: SynthTerms): MarginalsRequest {
  const method = marginals ?? (budget.rho ? 'gaussian' : 'laplace')
  const needsRecords = methodNamed(method).needs.records === true
  return {
    method,
    marginals: allWays(universe, ways ?? usualWays(universe)),
    budget,
    floor: needsRecords ? { kind: 'share', share: 1e-4 } : { kind: 'count', count: 1 },
    records: needsRecords ? records : { kind: 'unneeded' },
  }
}

const usualWays = ({ attributes }: Universe): number => Math.min(2, attributes.length)

/** What would be bought, with the noise that is to be expected. */
function plannedWith(request: MaxentRequest, wanted: MarginalsRequest, terms: SynthTerms): SynthPlan {
  const { marginals } = planScales(wanted, {}, terms)
  const deviations = marginals.map(({ deviation }) => deviation)
  const count = request.records.kind === 'known' ? request.records.count : 1
  return {
    steps: stepsOf(wanted, rangeOf(deviations)),
    certain: firstLook(wanted, count, terms),
  }
}

function stepsOf(wanted: MarginalsRequest, deviation?: SynthStep['deviation']): SynthStep[] {
  const ways = wanted.marginals[0]!.length
  const name = `${ways}-way marginals by ${wanted.method}`
  return [{ name, share: 1, count: wanted.marginals.length, ...(deviation && { deviation }) }]
}
