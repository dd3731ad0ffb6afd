import { unitAlpha } from './noise.ts'
import type { MaxentProblem } from './problem.ts'

/**
 * How far means are from targets that were not fitted to, in deviations of the targets' noise and of the means' own: one number per
 * such target. Not squared: the few largest cells, which samples know worst, would decide.
 */
export function heldOutLosses(
  { targets }: MaxentProblem,
  means: Float64Array,
  isUsed: Uint8Array,
  variances: Float64Array,
): number[] {
  const losses: number[] = []
  for (let i = 0; i < targets.length; i++)
    if (isUsed[i] === 0) losses.push(Math.abs(targets[i]! - means[i]!) / Math.sqrt(variances[i]!))
  return losses
}

/** Which features are fitted to (1) and which are held out (0), in each of so many folds: every feature is held out in one. */
export function foldsOf(features: number, folds: number, random: () => number): Uint8Array[] {
  const order = Int32Array.from({ length: features }, (_, i) => i)
  for (let i = features - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const last = order[i]!
    order[i] = order[j]!
    order[j] = last
  }
  return Array.from({ length: folds }, (_, fold) => {
    const isUsed = new Uint8Array(features).fill(1)
    for (let i = fold; i < features; i += folds) isUsed[order[i]!] = 0
    return isUsed
  })
}

/** α doubles from where the weights stay near 0 to where they are all but free. */
const [leastWeight, mostWeight] = [1 / 8, 64]
/** The search ends after so many values in a row that are no better than the best. */
const patience = 2

interface Trial {
  readonly alpha: number
  readonly losses: readonly number[]
  readonly mean: number
}

/**
 * Along a path of growing α, the smallest one whose loss cannot be told from the best by chance: by one standard error of the
 * difference. `lossesAt` may start where it came to at the one before.
 */
export async function bestAlpha(
  problem: MaxentProblem,
  lossesAt: (alpha: number) => Promise<readonly number[]>,
): Promise<number> {
  const unit = unitAlpha(problem)
  const trials: Trial[] = []
  let best: Trial | undefined
  for (let weight = leastWeight, worse = 0; weight <= mostWeight && worse < patience; weight *= 2) {
    const losses = await lossesAt(unit * weight)
    const trial = { alpha: unit * weight, losses, mean: meanOf(losses) }
    trials.push(trial)
    worse = best && trial.mean >= best.mean ? worse + 1 : 0
    if (worse === 0) best = trial
  }
  return trials.find((trial) => isAsGood(trial, best!))!.alpha
}

function isAsGood({ losses }: Trial, best: Trial): boolean {
  const differences = losses.map((loss, i) => loss - best.losses[i]!)
  const mean = meanOf(differences)
  const variance = meanOf(differences.map((difference) => (difference - mean) ** 2))
  return mean <= Math.sqrt(variance / differences.length)
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
