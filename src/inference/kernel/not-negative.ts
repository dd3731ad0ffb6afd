/**
 * What a count is, on average, that was seen as `value` with Laplace noise of this standard deviation and cannot be negative, where
 * all counts were equally likely before. Always above 0: a value that was never seen is still possible.
 */
export function notNegative(value: number, deviation: number): number {
  const scale = Math.max(deviation, 1e-9) / Math.SQRT2
  if (value <= 0) return scale
  const least = Math.exp(-value / scale)
  return value + ((scale + value) * least) / (2 - least)
}
