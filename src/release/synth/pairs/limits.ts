import { problem, type Universe } from '../../../schema/index.ts'
import { severalValued } from './shares.ts'

/** Each is a table that is measured, written down and fitted: 200 attributes make so many. */
const mostPairs = 20_000

/** Of one table, and of a table of every pair: all levels of all pairs are in memory at once. */
const mostCells = 2 ** 16
const mostCellsOfAll = 2 ** 22

/** So many groups of two attributes make no table that is too large. */
export const mostGroups = (universe: Universe): number =>
  Math.floor(Math.sqrt(Math.min(mostCells, mostCellsOfAll / Math.max(1, pairCount(universe)))))

/** How many pairs of attributes there are to measure; refuses too many. */
export function pairCount(universe: Universe): number {
  const attributes = severalValued(universe).length
  const pairs = (attributes * (attributes - 1)) / 2
  if (pairs > mostPairs)
    throw problem(
      'usage',
      `${attributes} attributes make ${pairs.toLocaleString('en')} pairs; the method pairs can measure at most ${mostPairs.toLocaleString('en')}`,
      'Use --method factored or mwem, which choose what they measure, or a policy with fewer attributes.',
      { attributes, pairs, limit: mostPairs },
    )
  return pairs
}
