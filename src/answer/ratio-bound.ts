import type { Affine } from './affine.ts'
import type { Known } from './knowledge.ts'
import type { RatioGoal, Situation } from './ratio-laws.ts'

/** What is known about a part, one entry per group; undefined where nothing is. */
export type Evidence = (part: number) => readonly Known[] | undefined

/** What may be relied on now, and the best that could turn out if more were known. */
export interface Prospect {
  readonly now: Situation
  readonly best: Situation
}

/** How far from 0 a number is. */
interface Size {
  readonly least: number
  readonly most: number
}

/** Is the ratio known to lie in bounds from the policy alone? */
export const isBounded = ({ ratio: { low, high } }: RatioGoal): boolean => Number.isFinite(low) && Number.isFinite(high)

interface Bar {
  /** Groups whose denominator is smaller than this do not count. */
  readonly floor: number
  readonly sure: number
}

/**
 * What is known about a ratio in all groups, but for those that are below the floor: of each group by itself it is
 * true with the confidence `sure`.
 */
export function prospectOf(goal: RatioGoal, evidence: Evidence, { floor, sure }: Bar): Prospect {
  const { ratio, within } = goal
  const below = sizesOf(ratio.denominator, evidence, sure)
  const above = isBounded(goal) ? undefined : sizesOf(ratio.numerator, evidence, sure)
  let [bound, hope] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let [most, least] = [0, 0]
  below?.forEach((size, group) => {
    if (size.most < floor) return
    const safe = Math.max(floor, size.least)
    bound = Math.min(bound, safe)
    most = Math.max(most, above ? above[group]!.most / safe : Number.POSITIVE_INFINITY)
    if (size.least < floor) return
    hope = Math.min(hope, size.most)
    least = Math.max(least, above ? above[group]!.least / size.most : 0)
  })
  const ends = [ratio.low, ratio.high].map((end) => Math.abs((end - ratio.offset) / ratio.times))
  return {
    now: {
      bound: bound < Number.POSITIVE_INFINITY ? bound : floor,
      // An interval's ends may lie twice the half-width beyond the ratio.
      most: isBounded(goal) ? Math.max(...ends) : below ? most + 2 * within : Number.POSITIVE_INFINITY,
    },
    best: { bound: hope, most: isBounded(goal) ? Math.max(...ends) : least },
  }
}

/** Whether each group must be told as precisely as was asked. */
export const needed = ({ ratio }: RatioGoal, evidence: Evidence, { floor, sure }: Bar): boolean[] | undefined =>
  sizesOf(ratio.denominator, evidence, sure)?.map(({ most }) => most >= floor)

function sizesOf({ part, times, offset }: Affine & { part: number }, evidence: Evidence, sure: number) {
  return evidence(part)?.map(({ estimate, posterior }): Size => {
    const half = Math.abs(times) * posterior().halfWidth(sure)
    const middle = Math.abs(times * estimate + offset)
    return { least: Math.max(0, middle - half), most: middle + half }
  })
}
