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

/**
 * Which features are fitted to (1) and which are held out (0), in each of so many folds: every feature is held out in one. Those of a
 * single attribute are always fitted to, unless there are no others: the prior was learned from them, and would tell them too well.
 */
export function foldsOf({ scopes, targets }: MaxentProblem, folds: number, random: () => number): Uint8Array[] {
  const isSingle = new Uint8Array(targets.length)
  for (const { attributes, first, starts } of scopes)
    if (attributes.length === 1) isSingle.fill(1, first, first + starts.length - 1)
  const all = targets.map((_, i) => i)
  const joint = all.filter((i) => isSingle[i] === 0)
  const order = joint.length > 0 ? joint : all
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const last = order[i]!
    order[i] = order[j]!
    order[j] = last
  }
  return Array.from({ length: folds }, (_, fold) => {
    const isUsed = new Uint8Array(targets.length).fill(1)
    for (let i = fold; i < order.length; i += folds) isUsed[order[i]!] = 0
    return isUsed
  })
}

/** Held-out features that tell one α from another, about; they are taken from so many parts of all. */
const [enoughHeldOut, parts] = [1000, 10]

/**
 * Tenths of the features that are held out, each by itself: as many of them as it takes to tell one α from another. Of two thousand noisy answers
 * one tenth chose four times too large an α.
 */
export function tellingFolds(problem: MaxentProblem, random: () => number): Uint8Array[] {
  const folds = foldsOf(problem, parts, random)
  const heldOut = folds[0]!.reduce((count, isUsed) => count + 1 - isUsed, 0)
  return folds.slice(0, Math.ceil(enoughHeldOut / Math.max(1, heldOut)))
}

/** α doubles from where the weights stay near 0 to where they are all but free. */
const [leastWeight, mostWeight] = [1 / 8, 64]
/**
 * The search ends after so many values in a row that are no better than the best, but not before weights may be this large: with
 * few answers, those that are held out are told worse at first.
 */
const [patience, freeWeight] = [2, 8]

/**
 * The α of the smallest mean loss along a path of growing ones. `lossesAt` tells the loss of every held-out feature, and may start where
 * it came to at the α before.
 */
export async function bestAlpha(
  problem: MaxentProblem,
  lossesAt: (alpha: number) => Promise<readonly number[]>,
): Promise<number> {
  const unit = unitAlpha(problem)
  let best = { alpha: unit * leastWeight, loss: Number.POSITIVE_INFINITY }
  for (let weight = leastWeight, worse = 0; weight <= mostWeight; weight *= 2) {
    const loss = meanOf(await lossesAt(unit * weight))
    worse = loss < best.loss ? 0 : worse + 1
    if (worse === 0) best = { alpha: unit * weight, loss }
    if (worse >= patience && weight >= freeWeight) break
  }
  return best.alpha
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
