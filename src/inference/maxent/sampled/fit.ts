import type { Rows } from '../../../model/index.ts'
import type { MaxentProblem } from '../problem.ts'
import { affordable, Chains } from './chains.ts'
import { type ChoiceOptions, chosenAlpha } from './chosen-alpha.ts'
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

interface SampledOptions extends ChoiceOptions {
  /** So many records are kept. */
  readonly rows: number
}

/** Chains side by side. */
const chainsOfFit = 100_000
/** Of the fit itself: rounds before records are kept. */
const ofFit = { rounds: 2, sweeps: 3, steps: 120 }
/** Where the first rounds come to the end of what their samples can tell, there are more. */
const mostRounds = 8
/** Sweeps until chains that begin with the prior have followed the weights that they are given. */
const sweepsToFollow = 10

/** By ascent of the dual on samples, which chains of Gibbs sampling make. */
export async function fitBySampling(problem: MaxentProblem, options: SampledOptions): Promise<SampledSolution> {
  const { random, pause } = options
  const chosen = options.alpha === undefined ? await chosenAlpha(problem, options) : undefined
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
