import { dot, extendCholesky, Triangle } from '../../numeric/index.ts'
import { covariance, type Feature } from './feature.ts'
import { type Kernel, type KernelAnswer, kernelRows, scaledCovariances } from './kernel-answer.ts'

/** What is believed before any answer. */
interface KernelBelief {
  /** Every cell's count has α² times its share of the prior for variance. */
  readonly alpha: number
  /** The number of records, where it is known without noise; else the answers tell it. */
  readonly records?: number
  /** By what counts vary, in units of α²; the covariance of one record unless given. */
  readonly kernel?: Kernel
}

/** Rows that are factored at once. */
const blockSize = 128

/**
 * The estimate with parameter α in its fast form: one Cholesky factor L of K + I/α², in units of the noise, to which answers are
 * appended. Beside the prior's counts, whose total is the number of records, what is left of an answer is a combination of what is
 * left of the others.
 */
export class KernelEstimator {
  readonly #belief: KernelBelief
  readonly #answers: KernelAnswer[] = []
  readonly #factor = new Triangle()
  /** L⁻¹ of the answers, less the prior's where the number of records is known; else also of their means under the prior. */
  #values: Float64Array = new Float64Array(0)
  #means: Float64Array | undefined
  /** (LLᵀ)⁻¹ of what is left of the answers, once something was asked since the last one came. */
  #weights: Float64Array | undefined

  constructor(belief: KernelBelief) {
    this.#belief = belief
  }

  get size(): number {
    return this.#answers.length
  }

  /** `rows` are those of the kernel matrix, where they are known. */
  append(answers: readonly KernelAnswer[], rows?: readonly Float64Array[]): void {
    const first = this.#answers.length
    for (const answer of answers) this.#answers.push(answer)
    const ridge = this.#belief.alpha ** -2
    for (let at = first; at < this.#answers.length; at += blockSize) {
      const end = Math.min(at + blockSize, this.#answers.length)
      const block = (
        rows?.slice(at - first, end - first) ?? kernelRows(this.#answers.slice(0, end), at, this.#kernel)
      ).map((row) => {
        const own = row.slice()
        own[own.length - 1]! += ridge
        return own
      })
      extendCholesky(this.#factor, block)
    }
    const { records } = this.#belief
    this.#values = this.#solved(
      ({ feature, value, deviation }) => (value - (records ?? 0) * feature.expected) / deviation,
    )
    if (records === undefined) this.#means = this.#solved(({ feature, deviation }) => feature.expected / deviation)
    this.#weights = undefined
  }

  #solved(of: (answer: KernelAnswer) => number): Float64Array {
    const column = Float64Array.from(this.#answers, of)
    this.#factor.solve(column)
    return column
  }

  get records(): number {
    const means = this.#means
    return this.#belief.records ?? (means ? dot(means, this.#values) / dot(means, means) : Number.NaN)
  }

  estimate(feature: Feature): number {
    this.#weights ??= this.#settled()
    return this.records * feature.expected + dot(this.#covariances(feature), this.#weights)
  }

  /** The estimates of the answers' own queries: each lies between the answer and what the others tell. */
  fitted(): Float64Array {
    this.#weights ??= this.#settled()
    const ridge = this.#belief.alpha ** -2
    return Float64Array.from(this.#answers, ({ value, deviation }, i) => value - ridge * deviation * this.#weights![i]!)
  }

  #settled(): Float64Array {
    const [{ records }, means] = [this, this.#means]
    const weights = this.#values.map((value, i) => value - (means ? records * means[i]! : 0))
    this.#factor.solveTransposed(weights)
    return weights
  }

  /** Mean products of the errors of pairs of estimates, if counts are as they were believed to be: bias and variance together. */
  errorProducts(pairs: readonly (readonly [Feature, Feature])[]): Float64Array {
    const left = this.#halves(pairs.map(([q]) => q))
    const right = pairs.every(([q, r]) => q === r) ? left : this.#halves(pairs.map(([, r]) => r))
    const square = this.#belief.alpha ** 2
    return Float64Array.from(pairs, ([q, r], i) => {
      const [x, y] = [left[i]!, right[i]!]
      return square * (this.#kernel(q, r) - dot(x, y) + this.#byUnknownRecords(q.expected, x, r.expected, y))
    })
  }

  /** What is added because the answers tell the number of records only so well. */
  #byUnknownRecords(mean: number, x: Float64Array, other: number, y: Float64Array): number {
    const means = this.#means
    return means ? ((mean - dot(x, means)) * (other - dot(y, means))) / dot(means, means) : 0
  }

  get #kernel(): Kernel {
    return this.#belief.kernel ?? covariance
  }

  #covariances(feature: Feature): Float64Array {
    return scaledCovariances(feature, this.#answers, { kernel: this.#kernel })
  }

  /** L⁻¹ of their covariances with the answers. */
  #halves(features: readonly Feature[]): Float64Array[] {
    const rows = features.map((feature) => this.#covariances(feature))
    this.#factor.solveRows(rows)
    return rows
  }
}
