import { freedom } from './freedom.ts'
import { unitAlpha } from './noise.ts'
import { penaltyAt } from './penalty.ts'
import type { MaxentProblem } from './problem.ts'

/** How far means are from their targets, in deviations of the targets' noise and of the means' own: one number per feature. */
interface Distances {
  readonly heldOut: readonly number[]
  readonly fitted: readonly number[]
  /** How many of the latter the fit follows whatever they are. */
  readonly freedom: number
}

/** Where a fit came to. */
interface Fitted {
  readonly alpha: number
  readonly w: Float64Array
  readonly means: Float64Array
  /** Which features were fitted to. */
  readonly isUsed: Uint8Array
  /** The features' covariance there, times a vector. */
  covariance(v: Float64Array): Float64Array
}

/** Of the features that were not fitted to, and of those that were. */
export function distancesOf(
  problem: MaxentProblem,
  fit: Fitted,
  variances: Float64Array,
  signs: Float64Array,
): Distances {
  const { targets } = problem
  const { means, isUsed } = fit
  const distances = targets.map((target, i) => Math.abs(target - means[i]!) / Math.sqrt(variances[i]!))
  return {
    heldOut: [...distances.filter((_, i) => isUsed[i] === 0)],
    fitted: [...distances.filter((_, i) => isUsed[i] !== 0)],
    freedom: freedom(fit, penaltyAt(problem, fit.alpha), signs),
  }
}

/** One or the other with even chances, for each feature. */
export const drawnSigns = ({ targets }: MaxentProblem, random: () => number): Float64Array =>
  targets.map(() => (random() < 0.5 ? -1 : 1))

/** An α, and what it is judged by: one number for every answer that was held out, and their mean. */
interface Trial {
  readonly alpha: number
  readonly losses: readonly number[]
  readonly loss: number
}

/**
 * What an α is judged by, as in the kernel estimate: (1 + error of new questions)·(1 + error of old ones). Of new ones, those that were held
 * out tell: their mean distance, not squared, since the few largest cells, which samples know worst, would decide. Of old ones
 * Mallows' Cp: what they are off by, squared, and twice the numbers that the fit follows. Where held-out answers cannot be told at any α, the
 * latter decides.
 */
function trialOf(alpha: number, folds: readonly Distances[]): Trial {
  const squares = folds.flatMap((fold) => fold.fitted.map((distance) => distance ** 2))
  const followed = folds.reduce((sum, fold) => sum + fold.freedom, 0) / Math.max(1, squares.length)
  const factor = squares.length > 0 ? Math.sqrt(meanOf(squares) + 2 * followed) : 1
  const losses = folds.flatMap((fold) => fold.heldOut.map((distance) => distance * factor))
  return { alpha, losses, loss: meanOf(losses) }
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
const [leastWeight, mostWeight] = [1 / 32, 64]
/**
 * The search ends after so many values in a row that are no better than the best. With few answers those that are held out are told worse
 * at first, so it does not end before weights may be this large.
 */
const [patience, freeWeight, fewAnswers] = [2, 8, 500]

/**
 * The α of the smallest loss along a path of growing ones; where its neighbours' losses cannot be told from that, the middle of them all.
 * `distancesAt` tells the distances in every fold, and may start where it came to at the α before.
 */
export async function bestAlpha(
  problem: MaxentProblem,
  distancesAt: (alpha: number) => Promise<readonly Distances[]>,
): Promise<BestAlpha> {
  const unit = unitAlpha(problem)
  const least = problem.targets.length < fewAnswers ? freeWeight : 0
  const trials: Trial[] = []
  let best = 0
  for (let weight = leastWeight; weight <= mostWeight; weight *= 2) {
    const last = trials.push(trialOf(unit * weight, await distancesAt(unit * weight))) - 1
    if (trials[last]!.loss < trials[best]!.loss) best = last
    if (last - best >= patience && weight >= least) break
  }
  const isAlikeAt = (place: number) => trials[place] !== undefined && isAlike(trials[place], trials[best]!)
  let [first, last] = [best, best]
  while (isAlikeAt(first - 1)) first--
  while (isAlikeAt(last + 1)) last++
  const alpha = Math.sqrt(trials[first]!.alpha * trials[last]!.alpha)
  return { alpha, tried: trials[Math.floor((first + last) / 2)]!.alpha }
}

/** The α that was chosen, and one of those tried that is near it. */
interface BestAlpha {
  readonly alpha: number
  readonly tried: number
}

/** Whether the losses differ by no more than a deviation of their difference, which the same held-out answers tell. */
function isAlike(one: Trial, other: Trial): boolean {
  const differences = one.losses.map((loss, i) => loss - other.losses[i]!)
  const mean = meanOf(differences)
  const variance = meanOf(differences.map((difference) => (difference - mean) ** 2))
  return mean <= Math.sqrt(variance / Math.max(1, differences.length))
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
