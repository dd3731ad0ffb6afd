import type { CurvePoint } from '../../src/client/index.ts'

/** From half-widths and prices to the picture and back: widths as logarithms, prices as square roots, so that zero is on it. */
export interface CurveScale {
  readonly x: (within: number) => number
  readonly y: (epsilon: number) => number
  readonly withinAt: (x: number) => number
}
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function curveScale(widths: { low: number; high: number }, highest: number, box: Box): CurveScale {
  const span = Math.log(widths.high / widths.low) || 1
  const share = (within: number) => Math.log(within / widths.low) / span
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  return {
    x: (within) => box.left + clamp(share(within)) * (box.right - box.left),
    y: (epsilon) => box.bottom - Math.sqrt(Math.max(0, epsilon) / highest) * (box.bottom - box.top),
    withinAt: (x) => widths.low * Math.exp(span * clamp((x - box.left) / (box.right - box.left))),
  }
}

/** The price at a half-width, between points by their logarithms; 0 from the free one on. */
export function priceAt(points: readonly CurvePoint[], freeWithin: number | null, within: number): number {
  if (freeWithin !== null && within >= freeWithin) return 0
  const paid = points.filter((p) => p.epsilon > 0).sort((a, b) => a.within - b.within)
  const after = paid.findIndex((p) => p.within >= within)
  if (after === 0) return paid[0]!.epsilon
  const last = paid.at(-1)
  if (after < 0) return last ? last.epsilon * (1 - shareTo(last.within, within, freeWithin)) : 0
  const [a, b] = [paid[after - 1]!, paid[after]!]
  const share = Math.log(within / a.within) / Math.log(b.within / a.within)
  return a.epsilon * (b.epsilon / a.epsilon) ** share
}

/** How far a width is on the way, in logarithms, from the last price to where everything is free. */
const shareTo = (from: number, within: number, freeWithin: number | null): number =>
  freeWithin === null || freeWithin <= from ? 0 : Math.log(within / from) / Math.log(freeWithin / from)

/** Round numbers 1, 2, 5, 10, … between two ends, not more than `most` of them. */
export function logTicks(low: number, high: number, most: number): number[] {
  const powers = Array.from({ length: 40 }, (_, i) => i - 15)
  for (const digits of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = powers
      .flatMap((p) => digits.map((d) => Number((d * 10 ** p).toPrecision(3))))
      .filter((t) => t >= low * 0.999 && t <= high * 1.001)
    if (ticks.length <= most) return ticks
  }
  return [low, high]
}
