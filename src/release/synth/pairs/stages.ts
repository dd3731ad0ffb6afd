import { divide, rational } from '../../../numeric/index.ts'
import { type Measurement, marginal, noiseDeviation, type QueryList } from '../../../query/index.ts'
import { amountOf, lawFor, ofSameCurrency } from '../budget.ts'
import type { SynthBudget, SynthRequest, SynthTerms } from '../method.ts'
import { usualGroups } from './candidates.ts'
import { KnownTables } from './known.ts'
import { pairCount } from './limits.ts'
import { oneWayPurchases } from './one-way.ts'
import { type PairWeights, pairWeights } from './pair-weights.ts'
import {
  noiseLeft,
  oneWayShare,
  powerOfCells,
  type StageBudgets,
  severalValued,
  stageBudgets,
  usualShare,
} from './shares.ts'

/** What each stage may cost, and what need not be bought. */
interface Stages extends StageBudgets {
  /** So many pairs are to be bought. */
  readonly pairs: number
  readonly isWanted: (attributes: readonly [number, number]) => boolean
  readonly weightOf: PairWeights
  readonly known: KnownTables
  /** Of the noise in a pair's table if all had the same. */
  readonly deviation: number
}

/** What all pairs are asked for, where a workload does not say which of them matter. */
export interface PairsRequest extends SynthRequest {
  /** What the table is to answer well: pairs that none of it looks at are not measured. */
  readonly queries?: QueryList
}

/** What is known before anything is bought. */
interface Known {
  readonly history: readonly Measurement[]
  readonly records: number | undefined
  readonly queries?: QueryList | undefined
}
export const knownOf = ({ history, records, queries }: Omit<PairsRequest, 'budget'>): Known => ({
  history,
  records: records.kind === 'known' ? records.count : undefined,
  queries,
})

/** Settled by public numbers alone; the number of records may not be known yet. Refuses what cannot work. */
export function stagesOf(budget: SynthBudget, { history, records, queries }: Known, terms: SynthTerms): Stages {
  const { universe } = terms
  const asked = pairWeights(queries, universe)
  const known = KnownTables.of(history, universe)
  const several = severalValued(universe)
  const places = several.flatMap((a, i) => several.slice(i + 1).map((b) => [a, b] as const))
  const wanted = queries ? places.filter((pair) => asked(pair) > 0).length : pairCount(universe)
  // First as if nothing were known: what is known as precisely as it would be bought then is not bought.
  const share = shareFor(budget, records, wanted / Math.max(1, places.length), terms)
  const [all, weightOf] = share < 1 ? [wanted, asked] : [0, () => 0]
  const first = stageBudgets(budget, share, { oneWay: several.length > 0, tables: all > 0 })
  const oneWay = first.oneWay !== undefined && oneWayPurchases(first.oneWay, known, terms).length > 0
  const variance = deviationOfPairs(first.tables, all, terms) ** 2
  const isWanted: Stages['isWanted'] = (attributes) => {
    if (weightOf(attributes) === 0) return false
    const told = known.about(attributes)
    return !told || told.variance > variance
  }
  const pairs = known.complete.length > 0 ? places.filter(isWanted).length : all
  const budgets = stageBudgets(budget, share, { oneWay, tables: pairs > 0 })
  return {
    ...budgets,
    pairs,
    isWanted,
    weightOf,
    known,
    deviation: deviationOfPairs(budgets.tables ?? budget, pairs, terms),
  }
}

/** Where an attribute has this many times the usual groups, single values are lost in noise whatever is paid for them. */
const hopeless = 10

/**
 * What is spent on pairs is missing where attributes are counted by themselves. Where noise would move more than this part of all records
 * in a pair's table, also after the fit, nothing is spent on pairs. In ε chosen with 300 to 12,000 records of Adult, acs2016 and
 * census_income in view, in ρ on generated tables.
 */
const drowned = ({ rho }: SynthBudget): number => (rho ? 0.5 : 0.25)

/** By what a pair's noise would be for the whole budget, and how many groups suit that. 1: pairs are not worth measuring. */
function shareFor(budget: SynthBudget, records: number | undefined, part: number, terms: SynthTerms): number {
  const sizes = severalValued(terms.universe).map((a) => terms.universe.attributes[a]!.size)
  if (records === undefined || sizes.length < 2 || part === 0) return usualShare
  const deviation = deviationOfPairs(budget, (part * sizes.length * (sizes.length - 1)) / 2, terms)
  const groups = Math.max(2, usualGroups(records, deviation))
  const within = (most: number) => sizes.map((size) => Math.min(size, most))
  const power = powerOfCells(budget)
  const share = oneWayShare(within(hopeless * groups), within(groups), power, part)
  const moved = (noiseLeft(within(groups), power, part) * meanNoise(budget, terms)) / (1 - share) ** (1 / power - 1)
  return moved / (2 * records) > drowned(budget) ? 1 : share
}

/** The mean absolute value of the noise in a table that costs the whole budget. */
const meanNoise = (budget: SynthBudget, terms: SynthTerms): number =>
  deviationOfPairs(budget, 1, terms) * (budget.rho ? Math.sqrt(2 / Math.PI) : Math.SQRT1_2)

function deviationOfPairs(tables: SynthBudget | undefined, pairs: number, terms: SynthTerms): number {
  const names = severalValued(terms.universe).map((a) => terms.universe.attributes[a]!.name)
  if (!tables || names.length === 0) return 1
  const price = ofSameCurrency(tables, divide(amountOf(tables), rational(Math.max(1, pairs))))
  // Every record is in one cell of a marginal, of however many attributes: they all cost the same.
  return noiseDeviation(lawFor(marginal(names.slice(0, 1)), price, terms))
}
