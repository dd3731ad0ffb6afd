export type Side = 'above' | 'below' | undefined

/** What is known about one cut: its estimated excess g, and on which side of it the quantile surely lies. */
export interface Cut {
  readonly at: number
  readonly excess: number
  /** With so many cuts that share the doubt. */
  readonly side: (sharing: number) => Side
  /** The standard deviation of the excess. */
  readonly deviation: number
}

/** The quantile is one of the codes after `after`, up to `upTo`. */
export interface Span {
  readonly after: number
  readonly upTo: number
}

export const sizeOf = ({ after, upTo }: Span): number => upTo - after

/** Beside a cut, one farther away has a say about a range if it is known this much better. */
const better = 2

/**
 * All values whose own cumulative counts are compatible with what is known. A range between two neighbouring cuts is ruled out by a few cuts
 * on each side: by a lower one if the quantile is not above it, by an upper one if it is. Which ones decide depends on their noise
 * only, not on what they say: the nearest, the next that is known far better, and so on. They share the doubt of their side, so the
 * chance that the true value is ruled out is the doubt of both sides, however many cuts there are. Undefined where all are ruled out.
 */
export function kept(span: Span, cuts: readonly Cut[]): Span | undefined {
  const inside = cuts.filter(({ at }) => at > span.after && at < span.upTo)
  const end = (cut: number): Edge =>
    cuts.find(({ at }) => at === cut) ?? { at: cut, side: () => undefined, deviation: Infinity }
  const edges = [end(span.after), ...inside.toSorted((a, b) => a.at - b.at), end(span.upTo)]
  const isBelow = isSaid(edges, 'below')
  const isAbove = isSaid(edges.toReversed(), 'above').toReversed()
  const isKept = (i: number) => !isBelow[i] && !isAbove[i + 1]
  const ranges = edges.slice(1).map((_, i) => i)
  const first = ranges.find(isKept)
  const last = ranges.findLast(isKept)
  return first === undefined ? undefined : { after: edges[first]!.at, upTo: edges[last! + 1]!.at }
}

type Edge = Pick<Cut, 'at' | 'side' | 'deviation'>

/** For each edge, whether one of those that decide, among itself and the earlier ones, says that side. */
const isSaid = (edges: readonly Edge[], said: Side): boolean[] =>
  edges.map((_, i) => {
    const deciding = decidingAt(edges, i)
    return deciding.some(({ side }) => side(deciding.length) === said)
  })

/** An edge, the nearest earlier one that is known far better, the nearest before that, and so on. */
function decidingAt(edges: readonly Edge[], last: number): Edge[] {
  const deciding: Edge[] = []
  let least = Number.POSITIVE_INFINITY
  for (let i = last; i >= 0; i--)
    if (edges[i]!.deviation < least) {
      deciding.push(edges[i]!)
      least = edges[i]!.deviation / better
    }
  return deciding
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
