import type { GroupedMarginal } from '../../../model/index.ts'
import { extent, toNumber } from '../../../numeric/index.ts'
import { amountOf, sumOf } from '../budget.ts'
import type { SynthBudget, SynthStep } from '../method.ts'
import type { StageBudgets } from './shares.ts'

/** A stage as a step, where anything may be spent on it. */
export function stepOf(
  name: string,
  part: SynthBudget | undefined,
  whole: SynthBudget,
  count: number,
  deviations: readonly number[] = [],
): SynthStep[] {
  if (!part) return []
  const share = toNumber(amountOf(part)) / toNumber(amountOf(whole))
  if (deviations.length === 0) return [{ name, share, count }]
  return [{ name, share, count, deviation: extent(deviations) }]
}

/** What was really bought. */
export function boughtSteps(
  whole: SynthBudget,
  { oneWay, scores, tables }: StageBudgets,
  bought: {
    readonly oneWay: { readonly marginals: readonly GroupedMarginal[] }
    readonly scores: number
    readonly marginals: readonly GroupedMarginal[]
    readonly wanted: number
  },
): SynthStep[] {
  const refused = bought.wanted - bought.marginals.length
  const name = refused > 0 ? `pairs (a guard refused ${refused})` : 'pairs'
  const deviations = (marginals: readonly GroupedMarginal[]) =>
    marginals.map(({ variance }) => Math.sqrt(variance as number))
  const { marginals } = bought.oneWay
  // Scores that were not bought left their part to the tables.
  const ofTables = tables && scores && bought.scores === 0 ? sumOf(scores, tables) : tables
  return [
    ...stepOf('one-way marginals', oneWay, whole, marginals.length, deviations(marginals)),
    ...(bought.scores > 0 ? stepOf('scores', scores, whole, bought.scores) : []),
    ...stepOf(name, ofTables, whole, bought.marginals.length, deviations(bought.marginals)),
  ]
}
