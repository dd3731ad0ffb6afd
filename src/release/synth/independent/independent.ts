import { ProductModel } from '../../../model/index.ts'
import { extent, toNumber } from '../../../numeric/index.ts'
import { type LinearQuery, marginal, noiseDeviation } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { consistentMarginals } from '../../marginals/consistency/consistent.ts'
import { shareOut } from '../../marginals/share.ts'
import type { Purchase } from '../../meter.ts'
import { amountOf, lawFor, ofSameCurrency } from '../budget.ts'
import type { SynthBudget, SynthMethod, SynthStep, SynthTerms } from '../method.ts'
import { planRecords, settleRecords } from '../records.ts'

/**
 * One-way marginals alone, and attributes that have nothing to do with each other: what any better method is compared
 * with.
 */
export const independent: SynthMethod = {
  plan(request, terms) {
    const { budget, steps } = planRecords(request, terms)
    const purchases = purchasesFor(budget, terms)
    return { steps: [...steps, ...stepsOf(purchases, budget, request.budget)], certain: purchases }
  },
  async make(request, context) {
    const { universe, meter, history, random, signal, progress } = { ...context, ...request }
    await stoppingPoint(signal)
    const { budget, steps, receipts } = await settleRecords(request, context)
    const purchases = purchasesFor(budget, context)
    await stoppingPoint(signal)
    progress?.({ share: 0.1, doing: 'one-way marginals' })
    const all = purchases.length > 0 ? [...receipts, await meter.measure(purchases)] : receipts
    const measurements = [...history, ...all.flatMap((receipt) => receipt.measurements)]
    const oneWay = universe.attributes.map(({ name }) => [name])
    const { unrounded, total } = consistentMarginals(universe, oneWay, { measurements, random })
    progress?.({ share: 1, doing: 'done' })
    return {
      model: new ProductModel(universe, Math.max(1, total), unrounded.map(orUniform)),
      steps: [...steps, ...stepsOf(purchases, budget, request.budget)],
      receipts: all,
    }
  },
}

/** Attributes of a single value need no table. */
const queriesFor = ({ attributes }: Universe): LinearQuery[] =>
  attributes.filter(({ size }) => size > 1).map(({ name }) => marginal([name]))

/**
 * The sum of all cells' expected errors is least where ε goes with the root of a table's size, as Σ size/ε is then, and ρ
 * with its power of 2/3, as Σ size/√ρ is.
 */
function purchasesFor(budget: SynthBudget, terms: SynthTerms): Purchase[] {
  const queries = queriesFor(terms.universe)
  if (queries.length === 0) return []
  const power = budget.rho ? 2 / 3 : 1 / 2
  const sizes = terms.universe.attributes.map(({ size }) => size).filter((size) => size > 1)
  const prices = shareOut(
    amountOf(budget),
    sizes.map((size) => size ** power),
  )
  return queries.map((query, i) => ({ query, law: lawFor(query, ofSameCurrency(budget, prices[i]!), terms) }))
}

function stepsOf(purchases: readonly Purchase[], budget: SynthBudget, whole: SynthBudget): SynthStep[] {
  if (purchases.length === 0) return []
  const deviations = purchases.map(({ law }) => noiseDeviation(law))
  return [
    {
      name: 'one-way marginals',
      share: toNumber(amountOf(budget)) / toNumber(amountOf(whole)),
      count: purchases.length,
      deviation: extent(deviations),
    },
  ]
}

/** Where noise left nothing of a table. */
const orUniform = (table: Float64Array): Float64Array =>
  table.some((value) => value > 0) ? table : new Float64Array(table.length).fill(1)
