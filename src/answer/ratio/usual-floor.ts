import { totalOf } from '../price/choice.ts'
import { costOf } from '../price/cost.ts'
import { Allowance } from './allowance.ts'
import type { RatioContext } from './context.ts'
import { Sizes } from './sizes.ts'
import { Stages } from './stages.ts'

/** Floors that are tried: 10, 20, 50, 100, … */
const floors = Array.from({ length: 27 }, (_, k) => [1, 2, 5][k % 3]! * 10 ** (1 + Math.floor(k / 3)))
/** A group is too small if its precision would cost more than this part of what may be spent… */
const mostForSmallest = 1 / 2
/** …and may be left out, where the others dwarf it, if more than this. */
const comfortablePart = 1 / 50

/**
 * The floor of a GROUP BY where nobody says one. Some groups are nearly always empty, such as that of NULL, and no price makes their
 * ratios precise: without a floor the question would be refused after the looks. It follows from public values alone: what may be
 * spent, the precision, and the domains. 0 where there are no groups.
 */
export function usualFloor(context: RatioContext): { readonly floor: number; readonly comfortable?: number } {
  if (context.statement.axes.length === 0) return { floor: 0 }
  const { book } = context.session
  const stages = new Stages(context, new Sizes(context), context.doubt.descent)
  const left = new Allowance(context).most.epsilon
  const isPaidFor = (part: number) => (floor: number) => {
    const parts = stages.all(floor)
    return parts !== undefined && costOf(totalOf(parts), book).epsilon <= part * left
  }
  const [floor, comfortable] = [mostForSmallest, comfortablePart].map((part) => floors.find(isPaidFor(part)))
  return { floor: floor ?? 0, ...(floor !== undefined && comfortable !== undefined ? { comfortable } : {}) }
}

/** What a plan says, before anybody knows how large groups are. */
export const plannedFloorNote = (floor: number, within: number): string =>
  `groups with fewer than about ${floor.toLocaleString('en-US')} records, and those that would cost many times as much as the others together, will be less precise than ±${within}; --floor sets another limit`

/** What an answer says where the floor left groups less precise. */
export function floorNote(floor: number, least: number, within: number): string {
  const why =
    floor > least
      ? 'they would cost many times as much as the others together'
      : 'they would cost more than half of what may be spent'
  return `groups with fewer than about ${Math.round(floor).toLocaleString('en-US')} records are less precise than ±${within}: ${why}; --floor sets another limit`
}
