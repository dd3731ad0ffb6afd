import type { Rows } from '../../../model/index.ts'
import { bestAlpha, distancesOf, tellingFolds } from '../cross-validation.ts'
import type { FitOptions } from '../exact/fit.ts'
import { targetDeviations } from '../noise.ts'
import type { MaxentProblem } from '../problem.ts'
import { type Convergence, SampledAscent } from './ascent.ts'

interface SampledSolution {
  readonly alpha: number
  readonly w: Float64Array
  /** The chains' states at several times, at the weights of the end: records of a synthetic table. */
  readonly rows: Rows
  readonly convergence: Convergence
  /** Chains side by side, and sweeps of all of them. */
  readonly chains: number
  readonly sweeps: number
}

interface SampledOptions extends FitOptions {
  /** So many records are kept. */
  readonly rows: number
  readonly chains?: number
}

/** Chains side by side; fewer where there are so many scopes that their cells would fill the memory. */
const usualChains = 20_000
const mostCellsKept = 2 ** 26
const chainsFor = ({ scopes, wide }: MaxentProblem): number =>
  Math.max(1000, Math.min(usualChains, Math.floor(mostCellsKept / (scopes.length + wide.length))))

/** Steps at one α while it is being chosen, the last of which are looked at. */
const [stepsOfTrial, looked] = [16, 6]
/** Of the fit itself: at full length, and at a third of it; over the latter the weights are averaged. */
const [longSteps, shortSteps, damping] = [60, 60, 0.3]
/** Sweeps until chains that begin with the prior have followed the weights that they are given. */
const sweepsToFollow = 10
/** Sweeps between two records of a chain that are kept. */
const sweepsApart = 2

/** By stochastic ascent, with chains of Gibbs sampling. */
export async function fitBySampling(problem: MaxentProblem, options: SampledOptions): Promise<SampledSolution> {
  const { random, rows, pause } = options
  const chains = options.chains ?? chainsFor(problem)
  const chosen = options.alpha === undefined ? await crossValidated(problem, chains, options) : undefined
  const alpha = options.alpha ?? chosen!.alpha
  const ascent = new SampledAscent(problem, chains, random)
  if (chosen) {
    ascent.w.set(chosen.start)
    for (let sweep = 0; sweep < sweepsToFollow; sweep++) ascent.advance()
  }
  const average = new Float64Array(ascent.w.length)
  for (let step = 0; step < longSteps + shortSteps; step++) {
    await pause?.(0.3 + (0.5 * step) / (longSteps + shortSteps), 'fit')
    ascent.step(alpha, step < longSteps ? 1 : damping)
    if (step >= longSteps) for (let i = 0; i < average.length; i++) average[i]! += ascent.w[i]! / shortSteps
  }
  ascent.w.set(average)
  return { alpha, chains, ...(await harvest(ascent, alpha, rows, pause)), w: ascent.w, sweeps: ascent.sweeps }
}

/** Sweeps at the final weights: their records are kept, and their means say how well the weights fit. */
async function harvest(ascent: SampledAscent, alpha: number, count: number, pause: FitOptions['pause']) {
  const { chains } = ascent
  const times = Math.ceil(count / chains.count)
  const rows = chains.emptyRows(count)
  const means = new Float64Array(ascent.w.length)
  let looks = 0
  for (let time = 0; time < Math.max(times, 5); time++) {
    await pause?.(0.8 + (0.2 * time) / times, 'rows')
    for (let sweep = 0; sweep < sweepsApart; sweep++) {
      ascent.advance()
      ascent.addMeans(means)
      looks++
    }
    if (time < times) chains.copyTo(rows, time * chains.count)
  }
  const convergence = ascent.convergence(
    alpha,
    means.map((sum) => sum / looks),
    looks,
  )
  return { rows, convergence }
}

/**
 * Features are held out while α grows, a tenth at a time. Every such fold has its share of the chains, and weights of its own that go on from one α to the next. Returns where they came to at the best one, too.
 */
async function crossValidated(
  problem: MaxentProblem,
  chains: number,
  { random, pause }: FitOptions,
): Promise<{ alpha: number; start: Float64Array }> {
  const deviations = targetDeviations(problem)
  const folds = tellingFolds(problem, random)
  const tried = folds.map((isUsed) => ({
    isUsed,
    ascent: new SampledAscent(problem, Math.ceil(chains / folds.length), random),
  }))
  let trials = 0
  const weights = new Map<number, Float64Array>()
  const best = await bestAlpha(problem, async (alpha) => {
    await pause?.(0.3 * (1 - 0.8 ** trials++), `choosing α: trial ${trials}`)
    const distances = tried.map(({ isUsed, ascent }) => {
      const means = new Float64Array(deviations.length)
      for (let step = 0; step < stepsOfTrial; step++) {
        ascent.step(alpha, step < stepsOfTrial - looked ? 1 : damping, isUsed)
        if (step >= stepsOfTrial - looked) ascent.addMeans(means)
      }
      for (let i = 0; i < means.length; i++) means[i]! /= looked
      // A mean over chains has the noise of a sample.
      const chance = (i: number) => Math.abs(means[i]!) / (ascent.chains.count * looked)
      const variances = deviations.map((deviation, i) => deviation ** 2 + chance(i))
      return distancesOf(problem, means, isUsed, variances)
    })
    weights.set(alpha, averageWeights(tried))
    return distances
  })
  return { alpha: best.alpha, start: weights.get(best.tried)! }
}

/** Of each feature over the folds that it was fitted in. */
function averageWeights(tried: readonly { readonly isUsed: Uint8Array; readonly ascent: SampledAscent }[]) {
  return Float64Array.from(tried[0]!.isUsed, (_, i) => {
    const used = tried.filter(({ isUsed }) => isUsed[i] === 1)
    return used.reduce((sum, { ascent }) => sum + ascent.w[i]!, 0) / Math.max(1, used.length)
  })
}
