import { sum } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { partsOf } from '../budget.ts'
import type { SynthBudget } from '../method.ts'

/** What each stage may cost. */
export interface StageBudgets {
  readonly oneWay?: SynthBudget
  readonly scores?: SynthBudget
  readonly tables?: SynthBudget
}

/** Of what pairs cost. */
const shareOfScores = 0.07
/** Of one-way marginals, where the number of records is not known beforehand. */
export const usualShare = 0.4
const [least, most] = [0.2, 0.8]
/** The fit sees every attribute in many tables: of their noise about so much is left. Chosen with the results on census_income, acs2016 and Adult in view. */
const leftOfNoise = 0.3

/**
 * The share of one-way marginals that makes the expected error of a pair's table least. It is the noise of two one-way
 * marginals, A/x^(1/p - 1), and what the fit leaves of that of a pair, B/(1-x)^(1/p - 1), with p the power below. `groups`: into
 * about how many the codes of each attribute will be merged. `part`: of all pairs, those that are measured; the fewer, the
 * less noise each of them has.
 */
export function oneWayShare(sizes: readonly number[], groups: readonly number[], power: number, part = 1): number {
  // Budgets ∝ size^p leave tables of these sizes a noise ∝ (Σ size^p)^(1/p) in all.
  const one = (2 * sum(powersOf(sizes, power)) ** (1 / power)) / sizes.length
  const ratio = (one / noiseLeft(groups, power, part)) ** power
  return Math.min(most, Math.max(least, ratio / (1 + ratio)))
}

/** B above: what the fit leaves of the noise of a pair's table, in units of one number's, each at the price of all pairs. */
export function noiseLeft(groups: readonly number[], power: number, part: number): number {
  const half = powersOf(groups, power)
  const pairs = (sum(half) ** 2 - sum(half.map((value) => value ** 2))) / 2
  const all = (groups.length * (groups.length - 1)) / 2
  return (leftOfNoise * part ** (1 / power - 1) * pairs ** (1 / power)) / all
}

const powersOf = (list: readonly number[], power: number) => list.map((size) => size ** power)

/** A stage in which nothing is to be bought leaves its part to the others. */
export function stageBudgets(
  budget: SynthBudget,
  share: number,
  buys: { readonly oneWay: boolean; readonly tables: boolean },
): StageBudgets {
  const scores = shareOfScores * (1 - share)
  const wanted = Object.entries({ oneWay: share, scores, tables: 1 - share - scores }).filter(
    ([stage, weight]) => weight > 0 && (stage === 'oneWay' ? buys.oneWay : buys.tables),
  )
  if (wanted.length === 0) return {}
  const parts = partsOf(
    budget,
    wanted.map(([, weight]) => weight),
  )
  return Object.fromEntries(wanted.map(([stage], i) => [stage, parts[i]!]))
}

/**
 * A table's part of a budget goes with its cells to this power: then the sum of all cells' errors, Σ cells/√ρ or Σ cells/ε, is
 * least.
 */
export const powerOfCells = ({ rho }: SynthBudget): number => (rho ? 2 / 3 : 1 / 2)

/** Attributes that can differ between records. */
export const severalValued = ({ attributes }: Universe): number[] =>
  [...attributes.keys()].filter((a) => attributes[a]!.size > 1)
