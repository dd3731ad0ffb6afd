/** What is thought of an attribute's shares beforehand counts as much as so many degrees of freedom. */
const weightOfPrior = 2

/**
 * Noisy counts of values without an order, moved towards equal ones as far as noise makes their differences look larger than they are: of these the
 * part τ²/(τ² + v) is kept, v being the noise's variance and τ² that of the true counts. It is estimated from the counts, and by what it
 * is on average if all shares that add up to 1 are as likely.
 */
export function shrunkCounts(counts: Float64Array, variance: number, records: number): Float64Array {
  const size = counts.length
  const freedom = size - 1
  if (freedom === 0 || variance === 0) return counts
  const mean = counts.reduce((sum, count) => sum + count, 0) / size
  const squares = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0)
  const prior = (records ** 2 * freedom) / (size ** 2 * (size + 1))
  const signal = Math.max(0, (squares - freedom * variance + weightOfPrior * prior) / (freedom + weightOfPrior))
  const kept = signal / (signal + variance)
  return counts.map((count) => records / size + kept * (count - mean))
}
