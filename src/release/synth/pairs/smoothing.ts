/**
 * Noisy counts of an ordered attribute with less noise: where neighbours do not differ by more than noise explains, they are
 * averaged. Haar's wavelets at every shift (Coifman and Donoho 1995): a difference between neighbouring halves counts only where
 * it is beyond σ√(2 ln size), which pure noise hardly ever reaches. Counts that stand out stay as they are.
 */
export function smoothed(counts: Float64Array, variance: number): Float64Array {
  const size = counts.length
  if (size < 4) return counts
  const threshold = Math.sqrt(2 * Math.log(size) * variance)
  // As if mirrored at both ends, so that the first and the last are no neighbours.
  const period = 2 * size
  let smooth = Float64Array.from({ length: period }, (_, i) => counts[i < size ? i : period - 1 - i]!)
  const details: Float64Array[] = []
  let step = 1
  for (; 2 * step <= size; step *= 2) {
    const next = new Float64Array(period)
    const detail = new Float64Array(period)
    for (let i = 0; i < period; i++) {
      const [x, y] = [smooth[i]!, smooth[(i + step) % period]!]
      next[i] = (x + y) / 2
      // A mean of `step` counts less another: its noise has variance 2·variance/step.
      const difference = (x - y) / 2
      detail[i] = Math.abs(difference) > threshold / Math.sqrt(2 * step) ? difference : 0
    }
    details.push(detail)
    smooth = next
  }
  // Every value is in two windows at each scale, the one that begins with it and the one that ends with it.
  for (const detail of details.reverse()) {
    step /= 2
    const next = new Float64Array(period)
    for (let i = 0; i < period; i++) {
      const before = (i - step + period) % period
      next[i] = (smooth[i]! + detail[i]! + smooth[before]! - detail[before]!) / 2
    }
    smooth = next
  }
  return smooth.slice(0, size)
}
