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

/** The scale at which the law has this variance: how noisy something is that was made of several answers. */
export const laplaceScale = (variance: number): number => 1 / (2 * Math.asinh(1 / Math.sqrt(2 * variance)))

/** (c-1)/(c-cos t) with c = cosh(1/scale), written so that nothing cancels and nothing overflows. */
export const laplaceCharacteristic = (scale: number, t: number): number => {
  const ratio = Math.sin(t / 2) / Math.sinh(1 / (2 * scale))
  return 1 / (1 + ratio * ratio)
}

/** Pr(|k| > w) for an integer w ≥ 0: 2a^(w+1)/(1+a). */
export const laplaceTail = (scale: number, w: number): number =>
  (2 * Math.exp(-(w + 1) / scale)) / (2 - oneMinusA(scale))

/** The smallest integer w ≥ 0 with Pr(|k| ≤ w) ≥ confidence; Infinity for certainty; a double beyond 2^53. */
export function laplaceHalfWidth(scale: number, confidence: number): number {
  const miss = 1 - confidence
  if (miss <= 0) return Number.POSITIVE_INFINITY
  const guess = Math.max(0, Math.ceil(scale * Math.log(2 / (miss * (2 - oneMinusA(scale)))) - 1))
  if (guess > Number.MAX_SAFE_INTEGER) return guess
  let w = guess
  while (w > 0 && laplaceTail(scale, w - 1) <= miss) w--
  while (laplaceTail(scale, w) > miss) w++
  return w
}
