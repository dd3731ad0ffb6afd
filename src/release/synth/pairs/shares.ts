import type { Universe } from '../../../schema/index.ts'
import { partsOf } from '../budget.ts'
import type { SynthBudget } from '../method.ts'

/** What each stage may cost. */
export interface StageBudgets {
  readonly oneWay?: SynthBudget
  readonly scores?: SynthBudget
  readonly tables?: SynthBudget
}

/** Parts in ρ; in pure ε scores have so much noise that they do not pay. */
const inRho = { oneWay: 0.3, scores: 0.05, tables: 0.65 }
const inEpsilon = { oneWay: 0.3, tables: 0.7 }

/** A stage in which nothing is to be bought leaves its part to the others. */
export function stageBudgets(
  budget: SynthBudget,
  buys: { readonly oneWay: boolean; readonly tables: boolean },
): StageBudgets {
  const wanted = Object.entries(budget.rho ? inRho : inEpsilon).filter(([stage]) =>
    stage === 'oneWay' ? buys.oneWay : buys.tables,
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
