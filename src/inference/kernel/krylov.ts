import { addTimes, dot } from '../../numeric/index.ts'

/**
 * What a symmetric matrix A does to a vector, and what another matrix does to it: predictions that are made from the same vectors
 * cost no second pass.
 */
type Product = (vector: Float64Array) => { readonly image: Float64Array; readonly prediction: Float64Array }

/**
 * Solutions of (A + λI)·x = b for every λ at once. Lanczos's vectors v₁ … v_k, begun with b, make A tridiagonal, whatever λ is: after
 * them a solution costs k steps (Golub and Van Loan, §10.1). Each vector is made orthogonal to all before, so that rounding does not
 * bring any of them back.
 */
export class Krylov {
  readonly #product: Product
  readonly #vectors: Float64Array[] = []
  readonly #predictions: Float64Array[] = []
  readonly #diagonal: number[] = []
  readonly #beside: number[] = []
  readonly #size: number
  readonly #length: number
  #next: Float64Array | undefined

  constructor(product: Product, start: Float64Array) {
    this.#product = product
    this.#size = start.length
    this.#length = Math.sqrt(dot(start, start))
    if (this.#length > 0) this.#next = start.map((value) => value / this.#length)
  }

  /** Grows until what the solution leaves of b is no longer than this; undefined where that takes too many steps. */
  solution(shift: number, tolerance: number, mostSteps: number): KrylovSolution | undefined {
    for (;;) {
      const weights = tridiagonal(this.#diagonal, this.#beside, shift, this.#length)
      const residual = this.#next ? Math.abs((weights.at(-1) ?? 1) * (this.#beside.at(-1) ?? this.#length)) : 0
      if (residual <= tolerance)
        return {
          vector: combined(this.#vectors, weights, this.#size),
          prediction: combined(this.#predictions, weights, this.#predictions[0]?.length ?? 0),
          quotient: this.#length * (weights[0] ?? 0),
        }
      if (this.#vectors.length >= mostSteps) return undefined
      this.#grow(this.#next!)
    }
  }

  #grow(vector: Float64Array): void {
    const { image, prediction } = this.#product(vector)
    this.#vectors.push(vector)
    this.#predictions.push(prediction)
    this.#diagonal.push(dot(vector, image))
    const whole = Math.sqrt(dot(image, image))
    // Twice is enough (Parlett, §6.9).
    for (let time = 0; time < 2; time++) for (const other of this.#vectors) addTimes(image, other, -dot(image, other))
    const length = Math.sqrt(dot(image, image))
    const isEnd = !(length > 1e-13 * whole)
    this.#beside.push(isEnd ? 0 : length)
    this.#next = isEnd ? undefined : image.map((value) => value / length)
  }
}

export interface KrylovSolution {
  readonly vector: Float64Array
  /** bᵀ(A + λI)⁻¹b. */
  readonly quotient: number
  /** Of the other matrix; empty where b is so short that nothing is predicted from it. */
  readonly prediction: Float64Array
}

function combined(vectors: readonly Float64Array[], weights: Float64Array, size: number): Float64Array {
  const sum = new Float64Array(size)
  for (const [i, vector] of vectors.entries()) addTimes(sum, vector, weights[i]!)
  return sum
}

/** (T + shift·I)⁻¹ of a vector with only a first entry, where T is tridiagonal and has no negative eigenvalue. */
function tridiagonal(
  diagonal: readonly number[],
  beside: readonly number[],
  shift: number,
  first: number,
): Float64Array {
  const n = diagonal.length
  const x = new Float64Array(n)
  const pivots = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const ratio = i === 0 ? 0 : beside[i - 1]! / pivots[i - 1]!
    pivots[i] = diagonal[i]! + shift - (i === 0 ? 0 : ratio * beside[i - 1]!)
    x[i] = i === 0 ? first : -ratio * x[i - 1]!
  }
  for (let i = n - 1; i >= 0; i--) x[i] = (x[i]! - (i + 1 < n ? beside[i]! * x[i + 1]! : 0)) / pivots[i]!
  return x
}
