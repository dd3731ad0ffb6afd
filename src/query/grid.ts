import { compare, type Rational, rational, zero } from '../numeric/index.ts'

/** Scales that fall evenly: first, first - step, first - 2·step, …; `count` of them. */
export interface Grid {
  readonly first: Rational
  readonly step: Rational
  readonly count: number
}

/** The scale at a level of the grid, level 0 being the first. */
export const scaleAt = ({ first, step }: Grid, level: number): Rational =>
  rational(first.num * step.den - BigInt(level) * step.num * first.den, first.den * step.den)

/** Whether it falls, and stays above 0. */
export const isGrid = (grid: Grid): boolean =>
  Number.isSafeInteger(grid.count) &&
  grid.count >= 1 &&
  compare(grid.step, zero) > 0 &&
  compare(scaleAt(grid, grid.count - 1), zero) > 0

/** The level of a scale; undefined when it is not on the grid. */
export function levelOf({ first, step, count }: Grid, scale: Rational): number | undefined {
  const [above, by] = [first.num * scale.den - scale.num * first.den, step.num * first.den * scale.den]
  const steps = above * step.den
  if (steps < 0n || steps % by !== 0n || steps / by >= BigInt(count)) return undefined
  return Number(steps / by)
}
