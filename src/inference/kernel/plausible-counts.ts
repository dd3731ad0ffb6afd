import { bisect } from '../../numeric/index.ts'

/** What every count has at least, in standard deviations of its noise: a value that was not seen is still possible. */
const least = 0.05

/**
 * Counts that are not negative and add up to the total, as near to noisy ones as their deviations allow: the same multiple of its variance
 * is taken from each, and what would be negative is 0. A little is added to all, so that none is impossible.
 */
export function plausibleCounts(values: ArrayLike<number>, deviations: ArrayLike<number>, total: number): Float64Array {
  const variances = Float64Array.from(deviations, (deviation) => Math.max(deviation, 1e-9) ** 2)
  const at = (times: number) => variances.map((variance, i) => Math.max(0, values[i]! - times * variance))
  const sum = (counts: Float64Array) => counts.reduce((a, b) => a + b, 0)
  let [low, high] = [-1, 1]
  for (const variance of variances) low = Math.min(low, -Math.abs(total) / variance)
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, (values[i]! - Math.abs(total)) / variances[i]!)
    high = Math.max(high, values[i]! / variances[i]!)
  }
  const [, times] = bisect(low, high, 200, (times) => !(sum(at(times)) > total))
  return at(times).map((count, i) => count + least * Math.sqrt(variances[i]!))
}
