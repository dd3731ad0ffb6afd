import { dot, extendCholesky, Triangle } from '../../numeric/index.ts'
import type { Weights } from '../blue/compile.ts'

/** An answer to a scalar query: the query, and the variance of the noise. */
export interface Equation {
  readonly weights: Weights
  readonly variance: number
}

/** How much two queries vary together, given the prior and the marginals. */
export type Product = (q: Weights, other: Weights) => number

/** Equations that are factored together: enough of them to multiply matrices with. */
const blockSize = 128

/**
 * The positive definite system of scalar answers, S = covariances of their queries + diag(noise), and its Cholesky
 * factor, which grows with them. It is factored with ones in the diagonal, so that only near dependence costs digits,
 * not noises or queries of different size. Where digits do not suffice, the factor and all that follows is NaN.
 */
export class System {
  readonly #product: Product
  readonly #equations: Equation[]
  /** Roots of the diagonal. */
  readonly #deviations: number[]
  readonly #factor: Triangle

  constructor(product: Product, from?: System) {
    this.#product = product
    this.#equations = from ? from.#equations.slice() : []
    this.#deviations = from ? from.#deviations.slice() : []
    this.#factor = from ? from.#factor.fork() : new Triangle()
  }

  /** The same system, to go on with in another way; what is large is shared. */
  fork(): System {
    return new System(this.#product, this)
  }

  get size(): number {
    return this.#equations.length
  }

  add(equations: readonly Equation[]): void {
    for (let next = 0; next < equations.length; next += blockSize) {
      const first = this.size
      for (const equation of equations.slice(next, next + blockSize)) {
        const { weights, variance } = equation
        this.#equations.push(equation)
        this.#deviations.push(Math.sqrt(this.#product(weights, weights) + variance))
      }
      extendCholesky(
        this.#factor,
        this.#equations.slice(first).map(({ weights }, i) => this.#row(weights, first + i)),
      )
    }
  }

  #row(weights: Weights, at: number): Float64Array {
    const row = this.#against(weights, at + 1)
    for (let j = 0; j < at; j++) row[j]! /= this.#deviations[at]!
    row[at] = 1
    return row
  }

  /** The query's covariances with the first equations, over the equations' deviations. */
  #against(weights: Weights, count: number): Float64Array {
    const row = new Float64Array(count)
    for (let j = 0; j < count; j++) row[j] = this.#product(weights, this.#equations[j]!.weights) / this.#deviations[j]!
    return row
  }

  /** The shares S⁻¹k of the answers in the best estimate of a query, and how much variance they take from it, kᵀS⁻¹k. */
  solve(weights: Weights): { shares: Float64Array; explained: number } {
    const x = this.#against(weights, this.size)
    this.#factor.solve(x)
    const explained = dot(x, x)
    this.#factor.solveTransposed(x)
    return { shares: x.map((value, i) => value / this.#deviations[i]!), explained }
  }
}
