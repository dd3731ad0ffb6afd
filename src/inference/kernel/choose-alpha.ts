/** Neighbouring trials of the first look, and how near the search comes: factors. */
const [coarse, fine] = [2, 1.05]

/** An α, and the mean squared error that cross-validation tells of it. */
interface Trial {
  readonly alpha: number
  readonly error: number
}

/**
 * The α from … to at which an error that falls and then rises is least: a look at every power of two, then a ternary search around
 * the best. An error that cannot be told, or is no number, ends the look upwards, and so do two in a row that are not the least.
 */
export function chooseAlpha(error: (alpha: number) => number | undefined, from: number, to: number): Trial | undefined {
  let best: Trial | undefined
  let [highest, rises] = [from, 0]
  for (let alpha = from; alpha <= to; alpha *= coarse) {
    const found = error(alpha)
    if (found === undefined || !Number.isFinite(found)) break
    highest = alpha
    const isBest: boolean = !best || found < best.error
    if (isBest) best = { alpha, error: found }
    rises = isBest ? 0 : rises + 1
    if (rises === 2) break
  }
  if (!best) return undefined
  let [low, high] = [Math.max(from, best.alpha / coarse), Math.min(highest, best.alpha * coarse)]
  while (high / low > fine ** 2) {
    const third = Math.cbrt(high / low)
    const trials = [low * third, high / third].map((alpha) => ({ alpha, error: error(alpha) ?? Infinity }))
    for (const trial of trials) if (trial.error < best.error) best = trial
    if (trials[0]!.error < trials[1]!.error) high = trials[1]!.alpha
    else low = trials[0]!.alpha
  }
  return best
}
