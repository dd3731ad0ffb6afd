import { bestAlpha, distancesOf, drawnSigns, tellingFolds } from '../cross-validation.ts'
import type { FitOptions } from '../exact/fit.ts'
import { targetDeviations } from '../noise.ts'
import type { MaxentProblem } from '../problem.ts'
import { affordable, Chains } from './chains.ts'
import { SampleClimb } from './climb.ts'

export interface ChoiceOptions extends FitOptions {
  /** Side by side, those of all folds together; chosen by the answers unless given. */
  readonly chains?: number
}

/** Chains side by side, all folds together: at least and at most. */
const [fewChains, manyChains] = [40_000, 60_000]
/** A sample should know means to within this, in deviations of the answers' noise. */
const mostChance = 0.5
const chainsFor = (problem: MaxentProblem): number => {
  const deviations = targetDeviations(problem)
  const shares = problem.targets.map((target) => Math.max(0, Math.min(1, target)))
  const ratios = shares.map((share, i) => (share * (1 - share)) / deviations[i]! ** 2)
  return ratios.reduce((a, b) => a + b, 0) / ratios.length / mostChance ** 2
}

/** At one α: rounds at least and at most, sweeps in each, and steps on its sample at most. */
const ofTrial = { rounds: 2, mostRounds: 3, sweeps: 2, steps: 60 }

/**
 * Features are held out while α grows, a tenth at a time. Every such fold has its share of the chains, and weights of its own that go on
 * from one α to the next. Returns where they came to at the best one, too.
 */
export async function chosenAlpha(problem: MaxentProblem, { random, pause, chains }: ChoiceOptions) {
  const needed = chainsFor(problem)
  const folds = tellingFolds(problem, random).filter((_, fold) => fold === 0 || (fold + 1) * needed <= manyChains)
  const wanted = Math.max(fewChains, Math.min(manyChains, folds.length * needed))
  const count = Math.ceil((chains ?? affordable(problem, wanted)) / folds.length)
  const tried = folds.map((isUsed) => ({
    isUsed,
    climb: new SampleClimb(problem, new Chains(problem, count, random)),
  }))
  const [deviations, signs] = [targetDeviations(problem), drawnSigns(problem, random)]
  let trials = 0
  const weights = new Map<number, Float64Array>()
  const best = await bestAlpha(problem, async (alpha) => {
    await pause?.(0.4 * (1 - 0.8 ** trials++), `choosing α: trial ${trials}`)
    const distances = tried.map(({ isUsed, climb }) => {
      for (let round = 0; round < ofTrial.rounds || (round < ofTrial.mostRounds && !climb.isSettled); round++)
        climb.round(alpha, ofTrial.sweeps, ofTrial.steps, isUsed)
      // What is not fitted to has the noise of a sample.
      const chance = (i: number) => (isUsed[i] === 0 ? Math.abs(climb.means[i]!) / (count * climb.sample.worth) : 0)
      const variances = deviations.map((deviation, i) => deviation ** 2 + chance(i))
      const { w, means, sample } = climb
      const covariance = (v: Float64Array) => sample.covariance(v)
      return distancesOf(problem, { alpha, w, means, isUsed, covariance }, variances, signs)
    })
    weights.set(alpha, averageWeights(tried))
    return distances
  })
  return { alpha: best.alpha, start: weights.get(best.tried)!, chains: tried.map(({ climb }) => climb.chains) }
}

/** Of each feature over the folds that it was fitted in. */
function averageWeights(tried: readonly { readonly isUsed: Uint8Array; readonly climb: SampleClimb }[]) {
  return Float64Array.from(tried[0]!.isUsed, (_, i) => {
    const used = tried.filter(({ isUsed }) => isUsed[i] === 1)
    return used.reduce((sum, { climb }) => sum + climb.w[i]!, 0) / Math.max(1, used.length)
  })
}
