import { dot } from '../../numeric/index.ts'
import { type KernelHistory, moreRecords, roughRecords } from './cross-validation.ts'
import { Krylov, type KrylovSolution } from './krylov.ts'
import { symmetricProduct } from './symmetric.ts'

/** What a solution may leave of each answer, in units of its noise, and the most steps that it may take. */
const [tolerance, mostSteps] = [0.05, 250]
/** Random signs by which a trace is estimated: so many in all, in at least so many rows. */
const [leastSigns, leastProbes] = [1500, 3]

/**
 * How far the estimates of the answers' own queries are off, in units of the noise, as Mallows' Cp tells it: what they leave of the answers
 * is too small by as much as they follow the noise, tr H of K(K + I/α²)⁻¹ for each answer. One set of vectors serves all α.
 */
export class OwnError {
  readonly #size: number
  readonly #values: Float64Array
  readonly #means: Float64Array
  readonly #told: Krylov
  readonly #spread: Krylov | undefined
  readonly #probes: readonly Krylov[]

  constructor(history: KernelHistory, random: () => number) {
    const { answers, rows, records } = history
    const rough = roughRecords(history)
    const product = (vector: Float64Array) => ({ image: symmetricProduct(rows, vector), prediction: nothing })
    this.#size = answers.length
    this.#values = Float64Array.from(answers, (a) => (a.value - rough * a.feature.expected) / a.deviation)
    this.#means = Float64Array.from(answers, (a) => (rough * a.feature.expected) / a.deviation)
    this.#told = new Krylov(product, this.#values)
    this.#spread = records === undefined ? new Krylov(product, this.#means) : undefined
    const probes = Math.max(leastProbes, Math.ceil(leastSigns / answers.length))
    this.#probes = Array.from(
      { length: probes },
      () =>
        new Krylov(
          product,
          Float64Array.from(answers, () => (random() < 0.5 ? -1 : 1)),
        ),
    )
  }

  /** The mean square; undefined where it would take too long. */
  error(alpha: number): number | undefined {
    const shift = alpha ** -2
    const most = tolerance * Math.sqrt(this.#size)
    const solved = (krylov: Krylov) => krylov.solution(shift, most, mostSteps)
    const [told, spread] = [solved(this.#told), this.#spread && solved(this.#spread)]
    const probes = this.#probes.map(solved)
    if (!told || (this.#spread && !spread) || !probes.every((probe) => probe !== undefined)) return undefined
    const left = this.#left(told, spread)
    const trace = probes.reduce((sum, probe) => sum + shift * probe.quotient, 0) / probes.length
    const followed = this.#size - trace + (spread ? 1 : 0)
    return (shift ** 2 * dot(left, left) + 2 * followed) / this.#size - 1
  }

  /** (K + I/α²)⁻¹ of what the answers are beside the prior. */
  #left({ vector }: KrylovSolution, spread: KrylovSolution | undefined): Float64Array {
    if (!spread) return vector
    const more = moreRecords(spread.vector, this.#values, this.#means)
    return vector.map((value, i) => value - more * spread.vector[i]!)
  }
}

const nothing = new Float64Array(0)
