import type { ErrorLaw } from '../../inference/index.ts'
import type { Density, Estimate } from '../answer.ts'
import type { Affine } from './affine.ts'

/** How far beyond the interval's ends a picture reaches, in half-widths. */
const beyond = 0.6

/**
 * The law of a number that is times·(a part) + offset, as shares of equally wide columns around its interval; none
 * where it is exact. Noise lies on the part's steps: each is spread evenly over one, as columns hold now more, now fewer.
 */
export function densityOf(
  { estimate, within }: Estimate,
  { times }: Affine,
  { errorLaw, step }: { errorLaw: ErrorLaw; step: number },
  columns: number,
): { density?: Density } {
  if (estimate === null || within === null || within === 0) return {}
  const reach = (1 + beyond) * within
  const below = (x: number) => {
    let sum = 0
    for (let i = 0; i < 8; i++) sum += errorLaw.cdf(x / Math.abs(times) + ((i - 3.5) / 8) * step)
    return sum / 8
  }
  // The error is as often above zero as below, so that estimate - error and estimate + error have one law.
  const edges = Array.from({ length: columns + 1 }, (_, i) => below(((2 * i) / columns - 1) * reach))
  const masses = edges.slice(1).map((edge, i) => Math.max(0, edge - edges[i]!))
  return { density: { from: estimate - reach, to: estimate + reach, masses } }
}
