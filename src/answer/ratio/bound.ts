import type { Affine } from '../column/affine.ts'
import type { Known } from '../known/known.ts'
import type { RatioGoal, Situation } from './laws.ts'

/** What is known about a part, one entry per group; undefined where nothing is. */
type Evidence = (part: number) => readonly Known[] | undefined

/** How far from 0 a number is. */
interface Size {
  readonly least: number
  readonly most: number
}

/** Is the ratio known to lie in bounds from the policy alone? */
export const isBounded = ({ ratio: { low, high } }: RatioGoal): boolean => Number.isFinite(low) && Number.isFinite(high)

export interface Bar {
  /** Groups whose denominator is smaller than this do not count. */
  readonly floor: number
  readonly sure: number
  /** What it would be like if the part were known within ± this, the estimates being as they are. */
  readonly supposed?: (part: number) => number
  /** What it would be like if denominators were as large as they may be, and numerators as small. */
  readonly hopeful?: boolean
}

/**
 * What is known about a ratio in all groups, but for those that are below the floor: of each group by itself it is
 * true with the confidence `sure`.
 */
export function situationOf(goal: RatioGoal, evidence: Evidence, { floor, ...bar }: Bar): Situation {
  const { ratio, within } = goal
  const below = sizesOf(ratio.denominator, evidence, bar)
  const above = isBounded(goal) ? undefined : sizesOf(ratio.numerator, evidence, bar)
  let [bound, most] = [Number.POSITIVE_INFINITY, 0]
  below?.forEach((size, group) => {
    if ((bar.hopeful ? size.least : size.most) < floor) return
    const safe = bar.hopeful ? size.most : Math.max(floor, size.least)
    bound = Math.min(bound, safe)
    const over = above?.[group]
    most = Math.max(most, over ? (bar.hopeful ? over.least : over.most) / safe : Number.POSITIVE_INFINITY)
  })
  const ends = [ratio.low, ratio.high].map((end) => Math.abs((end - ratio.offset) / ratio.times))
  return {
    bound: bound < Number.POSITIVE_INFINITY ? bound : floor,
    // An interval's ends may lie twice the half-width beyond the ratio.
    most: isBounded(goal) ? Math.max(...ends) : below ? most + 2 * within : Number.POSITIVE_INFINITY,
  }
}

/** Whether each group must be told as precisely as was asked. */
export const needed = ({ ratio }: RatioGoal, evidence: Evidence, { floor, ...bar }: Bar): boolean[] | undefined =>
  sizesOf(ratio.denominator, evidence, bar)?.map(({ most }) => most >= floor)

function sizesOf({ part, times, offset }: Affine & { part: number }, evidence: Evidence, bar: Omit<Bar, 'floor'>) {
  const most = bar.supposed?.(part) ?? Number.POSITIVE_INFINITY
  return evidence(part)?.map(({ estimate, posterior }): Size => {
    const half = Math.abs(times) * Math.min(most, posterior().halfWidth(bar.sure))
    const middle = Math.abs(times * estimate + offset)
    return { least: Math.max(0, middle - half), most: middle + half }
  })
}
