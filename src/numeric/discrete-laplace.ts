/**
 * The discrete Laplace law P(k) ∝ exp(-|k|/scale) on the integers, in floating point: for intervals, prices and
 * inference over numbers that are already public. Drawing from it is trusted/random's work, and exact.
 */

/** a = exp(-1/scale) as 1 - a, which keeps its digits at large scales. */
const oneMinusA = (scale: number) => -Math.expm1(-1 / scale)

export const laplacePmf = (scale: number, k: number): number => {
  const q = oneMinusA(scale)
  return (q / (2 - q)) * Math.exp(-Math.abs(k) / scale)
}

/** 1/(2 sinh²(1/2b)): the law's own variance, not the continuous 2b². */
export const laplaceVariance = (scale: number): number => {
  const s = Math.sinh(1 / (2 * scale))
  return 1 / (2 * s * s)
}

/** (c-1)/(c-cos t) with c = cosh(1/scale), written so that nothing cancels. */
export const laplaceCharacteristic = (scale: number, t: number): number => {
  const s = Math.sinh(1 / (2 * scale))
  const u = Math.sin(t / 2)
  return (s * s) / (s * s + u * u)
}

/** Pr(|k| > w) for an integer w ≥ 0: 2a^(w+1)/(1+a). */
export const laplaceTail = (scale: number, w: number): number =>
  (2 * Math.exp(-(w + 1) / scale)) / (2 - oneMinusA(scale))

/** The smallest integer w ≥ 0 with Pr(|k| ≤ w) ≥ confidence. */
export function laplaceHalfWidth(scale: number, confidence: number): number {
  const miss = 1 - confidence
  const guess = Math.max(0, Math.ceil(scale * Math.log(2 / (miss * (2 - oneMinusA(scale)))) - 1))
  let w = guess
  while (w > 0 && laplaceTail(scale, w - 1) <= miss) w--
  while (laplaceTail(scale, w) > miss) w++
  return w
}
