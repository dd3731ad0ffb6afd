import type { Ratio } from './ratio.ts'

/**
 * Bounds on a ratio by Fieller's argument: if the ratio is r, then numerator - r·denominator is 0, and its estimate is
 * nothing but error. So all r for which that error would not be too large are kept, with no word lost about how the
 * denominator is distributed: the confidence is that of one interval, not of two. `halfWidth(x, y)` is that of
 * x·(numerator's part) + y·(denominator's part). Undefined where no r in low … high is kept.
 * Proof: docs/algorithms/ratios.md
 */
export function fieller(
  ratio: Ratio,
  values: readonly [numerator: number, denominator: number],
  halfWidth: (x: number, y: number) => number,
): { low: number; high: number } | undefined {
  const { numerator, denominator, times, offset } = ratio
  const above = numerator.times * values[0] + numerator.offset
  const below = denominator.times * values[1] + denominator.offset
  const isKept = (r: number) => Math.abs(above - r * below) <= halfWidth(numerator.times, -r * denominator.times)
  const ends = [(ratio.low - offset) / times, (ratio.high - offset) / times]
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  const start = Math.min(most, Math.max(least, above / below))
  // 0/0, or a ratio over nothing without bounds: there is no telling.
  if (!Number.isFinite(start)) return { low: ratio.low, high: ratio.high }
  if (!isKept(start)) return undefined
  // Where the denominator may be 0, the ratio may be anything.
  const isBounded = Math.abs(below) > halfWidth(0, denominator.times)
  // Half-widths change slowly: the ends lie near here.
  const near = isBounded ? halfWidth(numerator.times, -start * denominator.times) / Math.abs(below) : Infinity
  const found = [least, most].map((end) => offset + times * furthest(isKept, start, end, near))
  return { low: Math.max(ratio.low, Math.min(...found)), high: Math.min(ratio.high, Math.max(...found)) }
}

/**
 * The end, or the first r on the way there that is not kept, to the last digit of a double or nearly; that is about
 * `near` away, which is Infinity where the ratio may be anything.
 */
function furthest(isKept: (r: number) => boolean, start: number, end: number, near: number): number {
  const hasEnds = near < Infinity
  if (!hasEnds && (!Number.isFinite(end) || isKept(end))) return end
  const way = Math.sign(end - start)
  let [inside, outside] = [start, end]
  if (hasEnds) {
    let stride = Math.max(1e-12 * Math.abs(start), Number.MIN_VALUE, 1.01 * near)
    for (;;) {
      outside = start + way * stride
      if ((end - outside) * way <= 0) {
        if (isKept(end)) return end
        outside = end
        break
      }
      if (!isKept(outside)) break
      inside = outside
      stride *= 2
    }
  }
  for (let i = 0; i < 50; i++) {
    const middle = (inside + outside) / 2
    if (isKept(middle)) inside = middle
    else outside = middle
  }
  return outside
}
