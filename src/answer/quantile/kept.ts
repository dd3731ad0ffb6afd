/** What is known about one cut: its estimated excess g, and on which side of it the quantile surely lies. */
export interface Cut {
  readonly at: number
  readonly excess: number
  readonly side: 'above' | 'below' | undefined
  /** The standard deviation of the excess. */
  readonly deviation: number
}

/** The quantile is one of the codes after `after`, up to `upTo`. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

export const sizeOf = ({ after, upTo }: Span): number => upTo - after

/** A cut decides about a range unless one farther away is known this much better. */
const better = 2

/**
 * All values whose own cumulative counts are compatible with what is known. A range between two neighbouring cuts is ruled out by one cut on
 * each side: by the lower one if the quantile is not above it, by the upper one if it is. Which two decide depends on their noise
 * only, not on what they say: the nearest ones that are known well. So the chance that the true value is ruled out is that
 * of two errors, however many cuts there are. Undefined where all are ruled out.
 */
export function kept(span: Span, cuts: readonly Cut[]): Span | undefined {
  const inside = cuts.filter(({ at }) => at > span.after && at < span.upTo)
  const end = (cut: number): Edge =>
    cuts.find(({ at }) => at === cut) ?? { at: cut, side: undefined, deviation: Infinity }
  const edges = [end(span.after), ...inside.toSorted((a, b) => a.at - b.at), end(span.upTo)]
  const below = spokesmen(edges)
  const above = spokesmen(edges.toReversed()).toReversed()
  const isKept = (i: number) => below[i]!.side !== 'below' && above[i + 1]!.side !== 'above'
  const ranges = edges.slice(1).map((_, i) => i)
  const first = ranges.find(isKept)
  const last = ranges.findLast(isKept)
  return first === undefined ? undefined : { after: edges[first]!.at, upTo: edges[last! + 1]!.at }
}

type Edge = Pick<Cut, 'at' | 'side' | 'deviation'>

/** For each edge, the nearest one at or before it that no earlier one beats by that much. */
function spokesmen(edges: readonly Edge[]): Edge[] {
  let least = Number.POSITIVE_INFINITY
  let speaks = edges[0]!
  return edges.map((edge) => {
    least = Math.min(least, edge.deviation)
    if (edge.deviation <= better * least) speaks = edge
    return speaks
  })
}

/** Estimated excesses that never fall, at cuts in ascending order. */
export interface Curve {
  readonly cuts: readonly number[]
  readonly heights: readonly number[]
}

/** Where the curve crosses 0: codes up to here are below the quantile, with a fraction of the next one. */
export function zeroOf({ cuts, heights }: Curve): number {
  const next = heights.findIndex((height, i) => i > 0 && height >= 0)
  const i = next < 0 ? heights.length - 1 : next
  const [low, high] = [Math.min(0, heights[i - 1]!), Math.max(0, heights[i]!)]
  const share = high > low ? -low / (high - low) : 0.5
  return cuts[i - 1]! + share * (cuts[i]! - cuts[i - 1]!)
}

/** This many positions of an interval are tried. */
const places = 64

/** Among all intervals of this many codes, the largest distance from 0 that both ends have on their sides. */
export function widestMargin(curve: Curve, codes: number): number {
  const zero = zeroOf(curve)
  const margins = Array.from({ length: places + 1 }, (_, i) => {
    const from = Math.floor(zero - (i * codes) / places)
    return Math.min(-heightAt(curve, from), heightAt(curve, from + codes))
  })
  return Math.max(...margins)
}

/** The curve's height at any place; beyond its ends as at them. */
function heightAt({ cuts, heights }: Curve, place: number): number {
  const i = cuts.findIndex((cut) => cut >= place)
  if (i <= 0) return heights.at(i)!
  const share = (place - cuts[i - 1]!) / (cuts[i]! - cuts[i - 1]!)
  return heights[i - 1]! + share * (heights[i]! - heights[i - 1]!)
}

/** The nearest numbers that never fall: neighbours that do are replaced by their mean. */
export function isotonic(values: readonly number[]): number[] {
  const blocks: { sum: number; count: number }[] = []
  for (const value of values) {
    blocks.push({ sum: value, count: 1 })
    for (
      let last = blocks.at(-1)!, before = blocks.at(-2);
      before && before.sum / before.count > last.sum / last.count;
    ) {
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count })
      last = blocks.at(-1)!
      before = blocks.at(-2)
    }
  }
  return blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count))
}
