import type { Rows } from '../../../model/index.ts'
import { bestAlpha, distancesOf, tellingFolds } from '../cross-validation.ts'
import type { FitOptions } from '../exact/fit.ts'
import { targetDeviations } from '../noise.ts'
import type { MaxentProblem } from '../problem.ts'
import { Chains } from './chains.ts'
import { type Convergence, SampleClimb } from './climb.ts'

interface SampledSolution {
  readonly alpha: number
  readonly w: Float64Array
  /** The chains' states at several times: records of a synthetic table, and the share of each. */
  readonly rows: Rows
  readonly shares: Float64Array
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

/** Chains side by side: while α is chosen, at least and at most, all folds together; and of the fit itself. */
const [fewChains, manyChains, chainsOfFit] = [40_000, 60_000, 100_000]
/** Fewer where their cells would fill the memory. */
const mostCellsKept = 2 ** 26
const affordable = ({ scopes, wide }: MaxentProblem, count: number): number =>
  Math.max(1000, Math.min(count, Math.floor(mostCellsKept / (scopes.length + wide.length))))

/** While α is chosen a sample should know means to within this, in deviations of the answers' noise. */
const chanceOfTrials = 0.5
const chainsForTrial = (problem: MaxentProblem): number => {
  const deviations = targetDeviations(problem)
  const shares = problem.targets.map((target) => Math.max(0, Math.min(1, target)))
  const ratios = shares.map((share, i) => (share * (1 - share)) / deviations[i]! ** 2)
  return ratios.reduce((a, b) => a + b, 0) / ratios.length / chanceOfTrials ** 2
}

/** At one α while it is being chosen: rounds at least and at most, sweeps in each, and steps on its sample at most. */
const ofTrial = { rounds: 2, mostRounds: 3, sweeps: 2, steps: 60 }
/** Of the fit itself: rounds before records are kept. */
const ofFit = { rounds: 2, sweeps: 3, steps: 120 }
/** Where the first rounds come to the end of what their samples can tell, there are more. */
const mostRounds = 8
/** Sweeps until chains that begin with the prior have followed the weights that they are given. */
const sweepsToFollow = 10

/** By ascent of the dual on samples, which chains of Gibbs sampling make. */
export async function fitBySampling(problem: MaxentProblem, options: SampledOptions): Promise<SampledSolution> {
  const { random, pause } = options
  const chosen = options.alpha === undefined ? await crossValidated(problem, options) : undefined
  const alpha = options.alpha ?? chosen!.alpha
  const count = options.chains ?? affordable(problem, chainsOfFit)
  const chains = new Chains(problem, count, random, chosen?.chains)
  const climb = new SampleClimb(problem, chains, chosen?.start)
  const { rounds, sweeps, steps } = ofFit
  for (let round = 0; round < rounds || (round < mostRounds && !climb.isSettled); round++) {
    await pause?.(0.4 + (0.3 * round) / mostRounds, 'fit')
    climb.round(alpha, round === 0 ? sweepsToFollow : sweeps, steps)
  }
  return { alpha, chains: count, ...(await harvest(climb, alpha, options)), w: climb.w, sweeps: climb.sweeps }
}

/** More rounds, whose records are kept with their shares. */
async function harvest(climb: SampleClimb, alpha: number, { rows: count, pause }: SampledOptions) {
  const { chains } = climb
  const times = Math.ceil(count / chains.count)
  const rows = chains.emptyRows(count)
  const shares = new Float64Array(count)
  for (let time = 0; time < times; time++) {
    await pause?.(0.7 + (0.3 * time) / times, 'rows')
    climb.round(alpha, ofFit.sweeps, ofFit.steps)
    chains.copyTo(rows, time * chains.count)
    shares.set(climb.sample.shares.subarray(0, count - time * chains.count), time * chains.count)
  }
  const total = shares.reduce((a, b) => a + b, 0)
  return { rows, shares: shares.map((share) => share / total), convergence: climb.convergence(alpha) }
}

/**
 * Features are held out while α grows, a tenth at a time. Every such fold has its share of the chains, and weights of its own that go on from one α to the next. Returns where they came to at the best one, too.
 */
async function crossValidated(problem: MaxentProblem, { random, pause, chains }: SampledOptions) {
  const deviations = targetDeviations(problem)
  const needed = chainsForTrial(problem)
  const folds = tellingFolds(problem, random).filter((_, fold) => fold === 0 || (fold + 1) * needed <= manyChains)
  const wanted = Math.max(fewChains, Math.min(manyChains, folds.length * needed))
  const count = Math.ceil((chains ?? affordable(problem, wanted)) / folds.length)
  const tried = folds.map((isUsed) => ({
    isUsed,
    climb: new SampleClimb(problem, new Chains(problem, count, random)),
  }))
  let trials = 0
  const weights = new Map<number, Float64Array>()
  const best = await bestAlpha(problem, async (alpha) => {
    await pause?.(0.4 * (1 - 0.8 ** trials++), `choosing α: trial ${trials}`)
    const distances = tried.map(({ isUsed, climb }) => {
      for (let round = 0; round < ofTrial.rounds || (round < ofTrial.mostRounds && !climb.isSettled); round++)
        climb.round(alpha, ofTrial.sweeps, ofTrial.steps, isUsed)
      // A mean over chains has the noise of a sample.
      const chance = (i: number) => Math.abs(climb.means[i]!) / (count * climb.sample.worth)
      const variances = deviations.map((deviation, i) => deviation ** 2 + chance(i))
      const { w, means } = climb
      return distancesOf(problem, { alpha, w, means, isUsed }, variances)
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
