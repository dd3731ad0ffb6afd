import { fitMaxent } from '../../../inference/index.ts'
import { extent, multiply, type Rational, subtract, toNumber } from '../../../numeric/index.ts'
import { countAll, queryKey } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { measureMarginals } from '../../marginals/measure.ts'
import { type MarginalsRequest, type MethodName, methodNamed } from '../../marginals/methods/index.ts'
import { firstLook, planScales } from '../../marginals/plan.ts'
import { allWays } from '../../marginals/selection.ts'
import { amountOf, ofSameCurrency } from '../budget.ts'
import type { SynthBudget, SynthMethod, SynthPlan, SynthRequest, SynthStep, SynthTerms } from '../method.ts'

/** Which marginals a model of maximum entropy is fitted to, and how they are bought. */
export interface MaxentRequest extends SynthRequest {
  /** All marginals over so many attributes: 2, or 1 where there is but one, unless said. */
  readonly ways?: number
  /** A method of `release marginals`: equal noise unless said. */
  readonly marginals?: MethodName
  /** The share of the budget for all one-way marginals, which the prior is made from; none unless said. */
  readonly priorShare?: Rational
}

/** One purchase of marginals, and its share of the budget. */
interface Part {
  readonly wanted: MarginalsRequest
  readonly share: number
}

/** Where fitting begins, of the whole work. */
const fitFrom = 0.2

/**
 * All marginals over k attributes, bought by any method that releases them, and the distribution of the largest entropy that agrees with
 * them and with the history. docs/algorithms/maximum-entropy.md
 */
export const maxent: SynthMethod<MaxentRequest> = {
  plan(request, terms) {
    const parts = partsOf(request, terms)
    const { records } = request
    const isKnown = records.kind === 'known' || parts.every(({ wanted }) => wanted.records.kind === 'unneeded')
    return isKnown ? plannedWith(request, parts, terms) : { steps: parts.map((part) => stepOf(part)) }
  },

  async make(request, context) {
    const { universe, random, signal, progress } = context
    const parts = partsOf(request, context)
    const steps: SynthStep[] = []
    const bought = []
    for (const [i, part] of parts.entries()) {
      const { marginals, receipts } = await measureMarginals(part.wanted, {
        ...context,
        progress: (share) => progress?.({ share: (fitFrom * (i + share)) / parts.length, doing: 'marginals' }),
      })
      steps.push(
        stepOf(
          part,
          marginals.map(({ variance }) => Math.sqrt(variance)),
        ),
      )
      bought.push(receipts)
    }
    const receipts = bought.flat()
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
    const { table, parameters, warnings } = await fitMaxent(past, { random, pause })
    return { model: table, steps, receipts, fit: { parameters, warnings } }
  },
}

/** The marginals of the prior, where it has a share, and those over k attributes. */
function partsOf(request: MaxentRequest, terms: SynthTerms): Part[] {
  const { budget, priorShare, ways = usualWays(terms.universe) } = request
  if (!priorShare) return [{ wanted: wantedOf(request, { ways, budget }, terms), share: 1 }]
  const amount = multiply(amountOf(budget), priorShare)
  const [prior, others] = [amount, subtract(amountOf(budget), amount)].map((part) => ofSameCurrency(budget, part))
  const plain = { ...request, marginals: usualMethod(budget) }
  const share = toNumber(priorShare)
  return [
    { wanted: wantedOf(plain, { ways: 1, budget: prior! }, terms), share },
    { wanted: wantedOf(request, { ways, budget: others! }, terms), share: 1 - share },
  ]
}

/** All marginals over so many attributes, as `release marginals` takes them. */
function wantedOf(
  { records, marginals, budget: whole }: MaxentRequest,
  { ways, budget }: { readonly ways: number; readonly budget: SynthBudget },
  { universe }: SynthTerms,
): MarginalsRequest {
  const method = marginals ?? usualMethod(whole)
  const needsRecords = methodNamed(method).needs.records === true
  return {
    method,
    marginals: allWays(universe, ways),
    budget,
    floor: needsRecords ? { kind: 'share', share: 1e-4 } : { kind: 'count', count: 1 },
    records: needsRecords ? records : { kind: 'unneeded' },
  }
}

const usualMethod = ({ rho }: SynthBudget): MethodName => (rho ? 'gaussian' : 'laplace')

const usualWays = ({ attributes }: Universe): number => Math.min(2, attributes.length)

/** What would be bought, with the noise that is to be expected. */
function plannedWith(request: MaxentRequest, parts: readonly Part[], terms: SynthTerms): SynthPlan {
  const count = request.records.kind === 'known' ? request.records.count : 1
  return {
    steps: parts.map((part) => {
      const { marginals } = planScales(part.wanted, {}, terms)
      return stepOf(
        part,
        marginals.map(({ deviation }) => deviation),
      )
    }),
    certain: parts.flatMap(({ wanted }) => firstLook(wanted, count, terms)),
  }
}

function stepOf({ wanted, share }: Part, deviations?: readonly number[]): SynthStep {
  const ways = wanted.marginals[0]!.length
  const name = `${ways}-way marginals by ${wanted.method}`
  const deviation = deviations && extent(deviations)
  return { name, share, count: wanted.marginals.length, ...(deviation && { deviation }) }
}
