/**
 * Σ E|X - round(μ)| for Poisson X of mean μ: how far a table is expected to be from these (rounded) counts when they are its
 * means and sampling is all that moves it.
 */
export function samplingDistance(means: Float64Array): number {
  let sum = 0
  for (const mean of means) sum += meanDistance(mean)
  return sum
}

/** E|X - r| = μ - r + 2 Σ_{k<r} (r - k) P(k), r = round(μ); for large μ its limit. */
function meanDistance(mean: number): number {
  if (mean > 30) return Math.sqrt((2 * mean) / Math.PI)
  const centre = Math.round(mean)
  let below = 0
  for (let k = 0, p = Math.exp(-mean); k < centre; k++, p *= mean / k) below += (centre - k) * p
  return mean - centre + 2 * below
}

/** One coarseness of a pair of attributes: its cells, and a noisy estimate of how far it is from independence, in records. */
export interface ScoredLevel {
  readonly cells: number
  readonly dependence: number
}

/** E|noise| is about this many standard deviations, and of that so much is not undone by the fit. */
const [meanAbsolute, remaining] = [0.8, 0.8]

/**
 * Where a pair loses least: what merging hides, against the most that any level shows, plus what noise adds. A table's noise is taken
 * to be σ times (cells / usual cells)^-exponent, as the budget will be shared out.
 */
export function bestLevel(
  levels: readonly ScoredLevel[],
  { deviation, usualCells, exponent }: { deviation: number; usualCells: number; exponent: number },
): number {
  const most = levels.reduce((top, { dependence }) => Math.max(top, dependence), 0)
  const losses = levels.map(
    ({ cells, dependence }) =>
      most - dependence + remaining * meanAbsolute * deviation * cells * (cells / usualCells) ** -exponent,
  )
  return losses.indexOf(Math.min(...losses))
}
