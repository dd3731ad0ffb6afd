import type { Belief, PriorHistory } from '../../inference/index.ts'
import type { GuardedQuery } from './guard-query.ts'
import { tellsTooMuch } from './too-much.ts'
import { priorDeviation } from './worlds.ts'

/**
 * The judgement of a purchase in one world, for an observer with prior knowledge. `alone` is what the new answers reveal
 * by themselves, which may be more than the best estimate from all answers reveals; `excuse` is what was revealed before
 * the guard could prevent it.
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
  // If digits are lost, nobody can say what it reveals.
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
 * To an observer with a prior, nearly every answer says a little about everything. So everything that is sold after the
 * excuse may together add at most a quarter of the precision that the observer had before anything was sold.
 */
const addsLittle = ({ variance }: Belief, known: Belief, guard: GuardedQuery): boolean =>
  1 / variance <= 1 / known.variance + 1 / (4 * priorDeviation(guard) ** 2)
