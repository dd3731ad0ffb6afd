import type { Belief, PriorHistory } from '../../inference/index.ts'
import type { GuardedQuery } from './guard-query.ts'
import { tellsTooMuch } from './too-much.ts'
import { priorDeviation } from './worlds.ts'

/**
 * What would come of a purchase in one world, for somebody who was not wholly ignorant before. `alone` is what the new
 * answers tell by themselves, which may be more than what the best estimate from all tells.
 */
export function judgeByPrior(
  guard: GuardedQuery,
  before: PriorHistory,
  after: PriorHistory,
  alone: readonly PriorHistory[],
): 'harmless' | 'too much' | 'too large' {
  if (after.isTooLarge) return 'too large'
  const ways = [after, ...alone].map((history) => history.belief())
  // Where digits are lost nobody can say what it tells.
  if (!ways.every((way) => way !== undefined)) return 'too much'
  if (!ways.some((way) => isTooSure(way, guard))) return 'harmless'
  const known = before.isTooLarge ? undefined : before.belief()
  return known && isTooSure(known, guard) && ways.every((way) => addsNothing(way, known, guard))
    ? 'harmless'
    : 'too much'
}

const isTooSure = ({ coefficients }: Belief, guard: GuardedQuery): boolean => tellsTooMuch(coefficients, guard)

/**
 * Too much may have been sold before there was a guard. Nearly everything says a little about everything to somebody with
 * a prior, so a purchase is let through that adds at most a quarter of the precision that there was beforehand.
 */
const addsNothing = ({ variance }: Belief, known: Belief, guard: GuardedQuery): boolean =>
  1 / variance <= 1 / known.variance + 1 / (4 * priorDeviation(guard) ** 2)
