import { minimizeInBox } from '../exact/projected-lbfgs.ts'
import { targetDeviations } from '../noise.ts'
import { dualityGap, penaltyAt, slopesOf } from '../penalty.ts'
import type { MaxentProblem } from '../problem.ts'
import type { Chains } from './chains.ts'
import { WeightedSample } from './weighted-sample.ts'

/** How near a sampled fit is to its goal. */
export interface Convergence {
  /** Root mean square of what answers are off by beyond what their bounds explain, in deviations of their noise, as a fresh sample sees it. */
  readonly slope: number
  /** The same number from a sample of this size at the best weights, about: what chance alone gives. */
  readonly chance: number
  /** The duality gap of the sample with its shares. */
  readonly gap: number
  /** How many records with shares alike would be worth as much as the sample, as a share of all. */
  readonly worth: number
}

/** Weights beyond this make cells so rare that samples tell nothing more about them. */
const mostWeight = 40
/** A weight changes by no more in one round: a sample says little about cells that are e times as frequent as in it. */
const mostChange = 1
/** Weights at which the sample would be worth less than this are not gone to before there is a new one. */
const [leastWorth, settledWorth] = [0.3, 0.5]
/** After so many looks at such weights the sample has told what it can. */
const mostRefused = 20
/** A round ends when answers are off by no more than this on average, in deviations of their noise, by the duality gap. */
const precision = 0.02

/**
 * Ascent of the dual in rounds (§4.2, with many chains): sweeps at the present weights, and then the best weights by exact slopes on the
 * sample that the chains are, whose records get shares on the way.
 */
export class SampleClimb {
  readonly chains: Chains
  readonly w: Float64Array
  /** The features' means over the sample with its shares. */
  readonly means: Float64Array
  sample: WeightedSample
  gap = Number.POSITIVE_INFINITY
  sweeps = 0
  steps = 0
  readonly #problem: MaxentProblem
  readonly #deviations: Float64Array
  /** What the last round began with: weights, and means over the fresh sample, all shares alike. */
  readonly #before: Float64Array
  readonly #plain: Float64Array

  constructor(problem: MaxentProblem, chains: Chains, start?: Float64Array) {
    this.#problem = problem
    this.chains = chains
    this.w = start?.slice() ?? new Float64Array(problem.targets.length)
    this.means = new Float64Array(this.w.length)
    this.#before = this.w.slice()
    this.#plain = new Float64Array(this.w.length)
    this.sample = new WeightedSample(chains, this.w)
    this.#deviations = targetDeviations(problem)
  }

  /** `isUsed` leaves features out: their weights stay 0. */
  round(alpha: number, sweeps: number, mostSteps: number, isUsed?: Uint8Array): void {
    this.chains.setWeights(this.w)
    for (let sweep = 0; sweep < sweeps; sweep++) this.chains.sweep()
    this.sweeps += sweeps
    this.chains.means(this.#plain)
    this.#before.set(this.w)
    this.sample = new WeightedSample(this.chains, this.w)
    this.#solve(alpha, mostSteps, isUsed)
  }

  #solve(alpha: number, mostSteps: number, isUsed?: Uint8Array): void {
    const { sample, w, means } = this
    const { targets } = this.#problem
    const { bounds, ridges } = penaltyAt(this.#problem, alpha)
    for (let i = 0; i < bounds.length; i++) bounds[i] = isUsed?.[i] === 0 ? 0 : Math.min(bounds[i]!, mostWeight)
    const inside = (x: number, i: number) => Math.max(-bounds[i]!, Math.min(bounds[i]!, x))
    const least = 1 / this.chains.count
    let refused = 0
    const box = {
      low: w.map((x, i) => inside(x - mostChange, i)),
      high: w.map((x, i) => inside(x + mostChange, i)),
      curvatures: this.#plain.map((mean, i) => Math.max(least, Math.abs(mean) * (1 - Math.abs(mean))) + ridges[i]!),
      at(point: Float64Array, slopes: Float64Array): number {
        let value = sample.at(point, means)
        if (sample.worth < leastWorth) {
          refused++
          return Number.POSITIVE_INFINITY
        }
        for (let i = 0; i < point.length; i++) {
          value += (ridges[i]! * point[i]! ** 2) / 2 - point[i]! * targets[i]!
          slopes[i] = means[i]! + ridges[i]! * point[i]! - targets[i]!
        }
        return value
      },
    }
    const enough = precision * alpha * targets.length
    const found = minimizeInBox(
      box,
      w.map(inside),
      (point, _slopes, _value, step) => {
        this.gap = dualityGap(
          targets.map((target, i) => target - means[i]!),
          point,
          { bounds, ridges },
        )
        this.steps += step > 0 ? 1 : 0
        return this.gap <= enough || refused > mostRefused
      },
      mostSteps,
    )
    w.set(found)
    // The search may have looked beyond where it ended.
    sample.at(w, means)
  }

  /**
   * Whether the last round ended well inside of what its sample can tell. Weights that follow the noise of a sample alone make it worth
   * 1/(1 + features/chains) already.
   */
  get isSettled(): boolean {
    return this.sample.worth > settledWorth / (1 + this.w.length / this.chains.count)
  }

  /** Of the last round. */
  convergence(alpha: number): Convergence {
    const { targets } = this.#problem
    const penalty = penaltyAt(this.#problem, alpha)
    const w = this.#before
    const off = slopesOf(
      targets.map((target, i) => target - this.#plain[i]!),
      w,
      penalty,
    )
    let [square, chance] = [0, 0]
    for (let i = 0; i < targets.length; i++) {
      const mean = Math.abs(this.#plain[i]!)
      square += (off[i]! / this.#deviations[i]!) ** 2
      if (Math.abs(w[i]!) < penalty.bounds[i]!)
        chance += (mean * (1 - mean)) / this.chains.count / this.#deviations[i]! ** 2
    }
    const root = (sum: number) => Math.sqrt(sum / targets.length)
    return { slope: root(square), chance: root(chance), gap: this.gap, worth: this.sample.worth }
  }
}
