import { targetDeviations } from '../noise.ts'
import { dualityGap, penaltyAt } from '../penalty.ts'
import type { MaxentProblem } from '../problem.ts'
import { Chains } from './chains.ts'
import { largestCurvature } from './curvature.ts'
import { newtonStep } from './newton-step.ts'

/** How near a sampled fit is to its goal: measured from samples, so with their noise. */
export interface Convergence {
  /** Root mean square of what the dual's slope still is, over weights inside their box, in deviations of the answers' noise. */
  readonly slope: number
  /** The same number from samples without any error of the weights: what chance alone gives, about. */
  readonly chance: number
  /** Estimate of the duality gap; the samples' noise makes it too large. */
  readonly gap: number
}

/** Weights beyond this make cells so rare that samples tell nothing more about them. */
const mostWeight = 40
/** A step changes ln p by no more than this over the chains, as a deviation: chains that follow in a few sweeps keep their weights. */
const mostMove = 0.5
/** Of the latest means in the running ones. */
const freshness = 0.1
/**
 * Looks at the curvature on the way to a step: the more features have in common, the more are worth it. But a slope that is known worse
 * than the answers themselves (`chance`, in deviations of their noise) is not to be amplified.
 */
const looks = (common: number, chance: number): number =>
  Math.max(1, Math.min(20, Math.round(Math.sqrt(common) * Math.min(1, chanceOfAnswers / chance))))
const chanceOfAnswers = 0.25
/** Without acceleration a step may be almost twice as long before it would swing up. */
const longer = 2

/**
 * Stochastic ascent of the dual with many chains (§4.2). After every sweep the slope π - mean over the chains is followed, in the metric
 * of the features' covariance over the same chains and inside the box.
 */
export class SampledAscent {
  readonly chains: Chains
  readonly w: Float64Array
  /** Running means of the features: over the last ten sweeps, about. */
  readonly running: Float64Array
  readonly #problem: MaxentProblem
  readonly #means: Float64Array
  readonly #deviations: Float64Array
  readonly #direction: Float64Array
  #common = 1
  sweeps = 0

  constructor(problem: MaxentProblem, count: number, random: () => number) {
    const features = problem.targets.length
    this.#problem = problem
    this.chains = new Chains(problem, count, random)
    this.w = new Float64Array(features)
    this.#means = new Float64Array(features)
    this.#direction = Float64Array.from({ length: features }, () => random() - 0.5)
    this.#deviations = targetDeviations(problem)
    this.chains.setWeights(this.w)
    this.chains.means(this.#means)
    this.running = this.#means.slice()
  }

  /** One step and one sweep. `isUsed` leaves features out: their weights stay 0. */
  step(alpha: number, damping: number, isUsed?: Uint8Array): void {
    const { targets } = this.#problem
    const { bounds, ridges } = penaltyAt(this.#problem, alpha)
    const curvatures = this.#curvatures(ridges)
    this.#common = largestCurvature(this.chains, curvatures, ridges, this.#direction)
    const w = this.w
    const slopes = targets.map((target, i) => (isUsed?.[i] === 0 ? 0 : target - this.#means[i]! - ridges[i]! * w[i]!))
    const steps = looks(this.#common, this.#chance())
    const common = steps > 1 ? this.#common : this.#common / longer
    const model = { chains: this.chains, curvatures, common, ridges }
    const [low, high] = [new Float64Array(w.length), new Float64Array(w.length)]
    for (let i = 0; i < w.length; i++) {
      const bound = isUsed?.[i] === 0 ? 0 : Math.min(bounds[i]!, mostWeight)
      low[i] = -bound - w[i]!
      high[i] = bound - w[i]!
    }
    const change = newtonStep(model, slopes, low, high, steps)
    const length = damping * Math.min(1, mostMove / this.chains.spreadOf(change))
    for (let i = 0; i < w.length; i++) w[i]! += length * change[i]!
    this.advance()
  }

  /** A sweep with the weights as they are. */
  advance(): void {
    this.sweeps++
    this.chains.setWeights(this.w)
    this.chains.sweep()
    this.chains.means(this.#means)
    const [running, means] = [this.running, this.#means]
    for (let i = 0; i < running.length; i++) running[i]! += freshness * (means[i]! - running[i]!)
  }

  /** Adds the features' means after the last sweep. */
  addMeans(sums: Float64Array): void {
    for (let i = 0; i < sums.length; i++) sums[i]! += this.#means[i]!
  }

  /** From means that were taken over so many sweeps with the weights as they are. */
  convergence(alpha: number, means: Float64Array, sweeps: number): Convergence {
    const { targets } = this.#problem
    const penalty = penaltyAt(this.#problem, alpha)
    const residuals = targets.map((target, i) => target - means[i]!)
    let [free, square, chance] = [0, 0, 0]
    for (let i = 0; i < residuals.length; i++) {
      const r = residuals[i]! - penalty.ridges[i]! * this.w[i]!
      if (Math.abs(this.w[i]!) >= Math.min(penalty.bounds[i]!, mostWeight) && r * this.w[i]! > 0) continue
      free++
      square += (r / this.#deviations[i]!) ** 2
      chance += means[i]! / (this.chains.count * sweeps) / this.#deviations[i]! ** 2
    }
    const root = (sum: number) => Math.sqrt(sum / Math.max(1, free))
    return { slope: root(square), chance: root(chance), gap: dualityGap(residuals, this.w, penalty) }
  }

  /** The noise of a sweep's means, in deviations of the answers' noise: root mean square. */
  #chance(): number {
    const [running, deviations] = [this.running, this.#deviations]
    let sum = 0
    for (let i = 0; i < running.length; i++)
      sum += Math.abs(running[i]!) / (this.chains.count * deviations[i]! * deviations[i]!)
    return Math.sqrt(sum / running.length)
  }

  /** About the variance of each feature, and never so small that one record among the chains would move a weight far. */
  #curvatures(ridges: Float64Array): Float64Array {
    const least = 1 / this.chains.count
    return this.running.map((mean, i) => Math.max(Math.abs(mean), this.#problem.targets[i]!, least) + ridges[i]!)
  }
}
