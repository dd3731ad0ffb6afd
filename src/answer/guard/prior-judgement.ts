import type { Belief, PriorHistory } from '../../inference/index.ts'
import type { GuardedQuery } from './guard-query.ts'
import { tellsTooMuch } from './too-much.ts'
import { priorDeviation } from './worlds.ts'

/**
 * What would come of a purchase in one world, for somebody who was not wholly ignorant before. `alone` is what the new
 * answers tell by themselves, which may be more than what the best estimate from all tells; `excuse` is what nobody
 * could help.
 */
export function judgeByPrior(
  guard: GuardedQuery,
  {
    after,
    alone,
    excuse,
  }: { readonly after: PriorHistory; readonly alone: readonly PriorHistory[]; readonly excuse: () => PriorHistory },
): 'harmless' | 'too much' | 'too large' {
  if (after.isTooLarge) return 'too large'
  const ways = [after, ...alone].map((history) => history.belief())
  // Where digits are lost nobody can say what it tells.
  if (!ways.every((way) => way !== undefined)) return 'too much'
  if (!ways.some((way) => isTooSure(way, guard))) return 'harmless'
  const excused = excuse()
  const known = excused.isTooLarge ? undefined : excused.belief()
  return known && isTooSure(known, guard) && ways.every((way) => addsLittle(way, known, guard))
    ? 'harmless'
    : 'too much'
}

const isTooSure = ({ coefficients }: Belief, guard: GuardedQuery): boolean => tellsTooMuch(coefficients, guard)

/**
 * Nearly everything says a little about everything to somebody with a prior. So all that is sold after what excuses it may
 * add, together, at most a quarter of the precision that there was before anything was sold.
 */
const addsLittle = ({ variance }: Belief, known: Belief, guard: GuardedQuery): boolean =>
  1 / variance <= 1 / known.variance + 1 / (4 * priorDeviation(guard) ** 2)
