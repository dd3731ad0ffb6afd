import { toNumber } from '../../../numeric/index.ts'
import { type LinearQuery, marginal, noiseVariance } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { amountOf, lawFor } from '../budget.ts'
import type { SynthBudget, SynthTerms } from '../method.ts'
import type { Candidates } from './candidates.ts'
import { Knowledge } from './knowledge.ts'

/** Counts of more cells than this are drowned by their noise, and no smooth fit could bring them back. */
const mostCells = 2n ** 17n

/** A count of every cell. */
export const everyCell = ({ attributes }: Universe): LinearQuery => marginal(attributes.map(({ name }) => name))

/**
 * Whether counts of all cells, bought with the whole budget, tell the workload more than so many rounds would: by the
 * precision (1/variance) that all answers get together. A round tells one query, and costs half its price to choose it; counts tell
 * all at once, but queries that say the same things in other words count no more often than there are cells.
 */
export function startsWithCounts(
  candidates: Candidates,
  rounds: number,
  { budget, terms }: { budget: SynthBudget; terms: SynthTerms },
): boolean {
  const { universe } = terms
  if (universe.size > mostCells) return false
  const { queries } = candidates.sheet
  const knowledge = new Knowledge(candidates.sheet, universe)
  const counts = everyCell(universe)
  knowledge.learn({ query: counts, values: [], variance: noiseVariance(lawFor(counts, budget, terms)) })
  const share = (amount: number) => amount / (2 * rounds)
  let [atOnce, byRounds] = [0, 0]
  for (let place = 0; place < queries.length; place++) {
    const unit = toNumber(candidates.costs.unit(place))
    const noise = unit / share(toNumber(amountOf(budget)))
    atOnce += 1 / knowledge.variances[place]!
    byRounds += 1 / (budget.rho ? noise : 2 * noise ** 2)
  }
  const distinct = Math.min(1, Number(universe.size) / queries.length)
  return atOnce * distinct >= (byRounds * rounds) / queries.length
}
