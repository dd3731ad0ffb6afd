import { divide, rational } from '../../../numeric/index.ts'
import { type Measurement, marginal } from '../../../query/index.ts'
import { amountOf, deviationOf, lawFor, ofSameCurrency } from '../budget.ts'
import type { SynthBudget, SynthTerms } from '../method.ts'
import { KnownTables } from './known.ts'
import { pairCount } from './limits.ts'
import { oneWayPurchases } from './one-way.ts'
import { type StageBudgets, severalValued, stageBudgets } from './shares.ts'

/** What each stage may cost, and what need not be bought. */
interface Stages extends StageBudgets {
  /** So many pairs are to be bought. */
  readonly pairs: number
  readonly isWanted: (attributes: readonly [number, number]) => boolean
  readonly known: KnownTables
  /** Of the noise in a pair's table if all had the same. */
  readonly deviation: number
}

/** Settled by public numbers alone. Refuses what cannot work. */
export function stagesOf(budget: SynthBudget, history: readonly Measurement[], terms: SynthTerms): Stages {
  const { universe } = terms
  const known = new KnownTables(history, universe)
  const all = pairCount(universe)
  const several = severalValued(universe)
  // First as if nothing were known: what is known as precisely as it would be bought then is not bought.
  const first = stageBudgets(budget, { oneWay: several.length > 0, tables: all > 0 })
  const oneWay = first.oneWay !== undefined && oneWayPurchases(first.oneWay, known, terms).length > 0
  const variance = deviationOfPairs(first.tables, all, terms) ** 2
  const isWanted: Stages['isWanted'] = (attributes) => {
    const told = known.about(attributes)
    return !told || told.variance > variance
  }
  const places = several.flatMap((a, i) => several.slice(i + 1).map((b) => [a, b] as const))
  const pairs = known.complete.length > 0 ? places.filter(isWanted).length : all
  const budgets = stageBudgets(budget, { oneWay, tables: pairs > 0 })
  return { ...budgets, pairs, isWanted, known, deviation: deviationOfPairs(budgets.tables ?? budget, pairs, terms) }
}

function deviationOfPairs(tables: SynthBudget | undefined, pairs: number, terms: SynthTerms): number {
  const names = severalValued(terms.universe).map((a) => terms.universe.attributes[a]!.name)
  if (!tables || names.length === 0) return 1
  const price = ofSameCurrency(tables, divide(amountOf(tables), rational(Math.max(1, pairs))))
  return deviationOf(lawFor(marginal(names.slice(0, 2)), price, terms))
}
