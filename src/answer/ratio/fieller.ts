import { type JointBound, sectorAt } from '../known/sectors.ts'
import type { Ratio } from './ratio.ts'

type Range = readonly [low: number, high: number]
/** A bound that is constant + slope·r for the r of a range. */
interface Line {
  readonly constant: number
  readonly slope: number
  readonly range: Range
}

/** Ends are moved outwards by this part of themselves: more than rounding has moved them. */
const rounding = 1e-14

/**
 * Bounds on a ratio by Fieller's argument: if the ratio is r, then numerator - r·denominator is 0, and its estimate is
 * nothing but error. So all r for which that error would not be too large are kept, with no word lost about how the
 * denominator is distributed: the confidence is that of one interval, not of two. `bound` is that of x·(numerator's part) +
 * y·(denominator's part). Undefined where no r in low … high is kept. Proof: docs/algorithms/ratios.md
 */
export function fieller(
  ratio: Ratio,
  values: readonly [numerator: number, denominator: number],
  bound: JointBound,
): { low: number; high: number } | undefined {
  const { numerator, denominator, times, offset } = ratio
  const weights = [numerator.times, denominator.times] as const
  const estimates = [
    numerator.times * values[0] + numerator.offset,
    denominator.times * values[1] + denominator.offset,
  ] as const
  const domain = sorted((ratio.low - offset) / times, (ratio.high - offset) / times)
  const widest = hull(boxLines(bound, weights).map((line) => kept(within(line, domain), estimates)))
  const narrow = widest && ends(bound, weights, estimates, widest)
  if (!narrow) return undefined
  const spare = rounding * Math.max(...narrow.filter(Number.isFinite).map(Math.abs), 0)
  const found = sorted(offset + times * (narrow[0] - spare), offset + times * (narrow[1] + spare))
  return { low: Math.max(ratio.low, found[0]), high: Math.min(ratio.high, found[1]) }
}

/** The first and the last r that are kept, found from outside: kept ones may have gaps between them. */
function ends(bound: JointBound, weights: Range, estimates: Range, range: Range): Range | undefined {
  // The r of a range run through the sectors up or down, and a few digits may put an end into the next one.
  const [first, last] = sorted(...(range.map((r) => sectorOf(bound, weights, r)) as [number, number]))
  const half = bound.sectors / 2
  const all = Array.from({ length: last - first + 3 }, (_, i) => first - 1 + i).filter((k) => k >= -half && k < half)
  const search = (ks: readonly number[]) => {
    for (const k of ks) {
      const found = kept(within(sectorLine(bound, weights, k), range), estimates)
      if (found) return found
    }
    return undefined
  }
  const [one, other] = [search(all), search(all.toReversed())]
  return hull([one, other])
}

/** The sector of numerator - r·denominator, its numerator taken for positive. */
const sectorOf = (bound: JointBound, [n, d]: Range, r: number): number =>
  sectorAt(bound, { x: Math.abs(n), y: -r * d * Math.sign(n) })

/** The bound as a function of r, from -half to half of the sectors. */
function sectorLine(bound: JointBound, [n, d]: Range, k: number): Line {
  const half = bound.sectors / 2
  const { from, to, atFrom, atTo } = bound.sector(k < 0 ? k + bound.sectors : k)
  const sign = k < 0 ? -Math.sign(n) : Math.sign(n)
  const area = sign * (from.x * to.y - from.y * to.x)
  const rAt = (slope: number) => (-n / d) * slope
  return {
    constant: (n * (to.y * atFrom - from.y * atTo)) / area,
    slope: (d * (to.x * atFrom - from.x * atTo)) / area,
    range: sorted(rAt(k === -half ? -Infinity : from.y / from.x), rAt(k + 1 === half ? Infinity : to.y / to.x)),
  }
}

/** The same for both errors within their own intervals. */
const boxLines = ({ box }: JointBound, [n, d]: Range): Line[] => {
  const [constant, slope] = [Math.abs(n) * box.x, Math.abs(d) * box.y]
  return [
    { constant, slope: -slope, range: [-Infinity, 0] },
    { constant, slope, range: [0, Infinity] },
  ]
}

/** The r of a line's range for which |above - r·below| is at most the bound. */
function kept({ constant, slope, range }: Line, [above, below]: Range): Range | undefined {
  let [low, high] = range
  if (!(low <= high)) return undefined
  // Nothing is known here.
  if (!Number.isFinite(constant) || !Number.isFinite(slope)) return range
  for (const [times, least] of [
    [slope + below, above - constant],
    [slope - below, -above - constant],
  ] as const) {
    if (times > 0) low = Math.max(low, least / times)
    else if (times < 0) high = Math.min(high, least / times)
    else if (least > 0) return undefined
  }
  return low <= high ? [low, high] : undefined
}

const sorted = (a: number, b: number): Range => (a <= b ? [a, b] : [b, a])
const within = (line: Line, [low, high]: Range): Line => ({
  ...line,
  range: [Math.max(line.range[0], low), Math.min(line.range[1], high)],
})

function hull(ranges: readonly (Range | undefined)[]): Range | undefined {
  const all = ranges.filter((range) => range !== undefined)
  if (all.length === 0) return undefined
  return [Math.min(...all.map(([low]) => low)), Math.max(...all.map(([, high]) => high))]
}
