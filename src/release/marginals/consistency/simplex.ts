/** Replaces these numbers by the nearest ones (in the sum of squares) that are nowhere negative and add up to `total`. */
export function projectOntoSimplex(y: Float64Array, total: number): void {
  if (!(total > 0)) {
    y.fill(0)
    return
  }
  const [largest, threshold] = thresholdOf(y, total)
  for (let i = 0; i < y.length; i++) y[i] = Math.max(0, y[i]! - largest - threshold)
}

/**
 * The largest of these numbers, and the t for which max(0, y - largest - t) add up to `total` > 0: that is the nearest
 * such point (Held, Wolfe and Crowder 1974). t is the mean surplus of those that stay above it, and rises until none
 * falls any more (Michelot 1986). Exact, and a few passes in practice.
 */
export function thresholdOf(y: Float64Array, total: number): readonly [largest: number, threshold: number] {
  // Measured from the largest number, what stays lies in [-total, 0]: nothing large cancels.
  let largest = Number.NEGATIVE_INFINITY
  for (const v of y) if (v > largest) largest = v
  let threshold = Number.NEGATIVE_INFINITY
  // In exact arithmetic none ever comes back; where rounding brings one back, it lies at the threshold itself.
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    let [sum, count] = [0, 0]
    for (const v of y) {
      if (v - largest <= threshold) continue
      sum += v - largest
      count++
    }
    if (count === 0 || count >= before) return [largest, threshold]
    before = count
    threshold = (sum - total) / count
  }
}
