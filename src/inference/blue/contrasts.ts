import { dot, subtractProducts, Triangle } from '../../numeric/index.ts'
import type { Weights } from './compile.ts'
import type { Covariances } from './covariance.ts'

/** A scalar measurement; numbers are in its steps. */
export interface Scalar {
  readonly weights: Weights
  readonly variance: number
  /** Its answer less what the marginals estimate for it. */
  readonly residual: number
}

/** A query and how it is made of the basis where marginals know nothing. */
export interface Expressed {
  readonly weights: Weights
  readonly solution: Float64Array
}

/** Weights are of the basis, then of the members. `largest`: of the numbers that the variance is a difference of. */
export interface Correction {
  readonly correction: number
  readonly variance: number
  readonly largest: number
  readonly basis: Float64Array
  readonly members: Float64Array
}

/** Less than this share of a contrast's variance left: nothing but rounding errors would be. */
const redundant = 1e-12

/**
 * Least squares over scalar measurements on top of marginals. The measurements of the basis alone would give an answer
 * to every question: its solution times theirs. Every other measurement j is a contrast,
 *
 *     z_j = r_j - W_j·r_basis,
 *
 * free of what marginals do not know: its mean is 0 and its covariance known (C, below). The best estimate is the
 * basis' answer corrected by the part of its error that the contrasts predict.
 */
export class Contrasts {
  readonly #covariances: Covariances
  /** Are there marginals at all? Else all their covariances are 0. */
  readonly #marginals: boolean
  readonly basis: Scalar[]
  readonly members: { readonly scalar: Scalar; readonly solution: Float64Array }[]
  /** K1 of basis and members with the basis, row by row; rows may have room behind. */
  readonly #basisRows: Float64Array[]
  readonly #memberRows: Float64Array[]
  /** Factor of C = Cov(z), and L⁻¹z. */
  readonly #factor: Triangle
  readonly #solved: number[]

  constructor(covariances: Covariances, marginals: boolean, from?: Contrasts) {
    this.#covariances = covariances
    this.#marginals = marginals
    this.basis = from?.basis.slice() ?? []
    this.members = from?.members.slice() ?? []
    // Without the room behind: whoever of the two grows first would write into the other's.
    this.#basisRows = from ? from.#basisRows.map((row) => row.subarray(0, from.basis.length)) : []
    this.#memberRows = from ? from.#memberRows.map((row) => row.subarray(0, from.basis.length)) : []
    this.#factor = from ? from.#factor.fork() : new Triangle()
    this.#solved = from ? from.#solved.slice() : []
  }

  fork(): Contrasts {
    return new Contrasts(this.#covariances.fork(), this.#marginals, this)
  }

  addBasis(scalar: Scalar): void {
    this.basis.push(scalar)
    if (!this.#marginals) return
    const extend = (row: Float64Array, other: Scalar): Float64Array => {
      const wide = row.length >= this.basis.length ? row : grown(row, this.basis.length)
      wide[this.basis.length - 1] = this.#covariances.known(other.weights, scalar.weights)
      return wide
    }
    this.basis.forEach((other, i) => {
      if (other !== scalar) this.#basisRows[i] = extend(this.#basisRows[i]!, other)
    })
    this.#basisRows.push(this.#rowOf(scalar.weights))
    for (const [j, { scalar: other }] of this.members.entries())
      this.#memberRows[j] = extend(this.#memberRows[j]!, other)
  }

  /** Adds measurements that are combinations of the basis; returns those that are too near to others to be of use. */
  addMembers(block: readonly (Scalar & { readonly solution: Float64Array })[]): Scalar[] {
    const before = this.members.length
    const { rows, own } = this.#covariancesOf(block.map(({ weights, solution }) => ({ weights, solution })))
    this.#factor.solveRows(rows)
    const solved = rows.map((row) => row.subarray(0, before))
    subtractProducts(own, solved, solved)
    const z = block.map(({ residual, solution }) => residual - this.#basisAnswer(solution))
    const useless: Scalar[] = []
    const kept: Float64Array[] = []
    block.forEach((scalar, i) => {
      const row = new Float64Array(before + kept.length)
      row.set(solved[i]!)
      for (const [k, column] of kept.entries()) row[before + k] = column[i]!
      const total = own[i]![i]! + dot(solved[i]!, solved[i]!) + scalar.variance
      const left = total - dot(row, row)
      if (!(left > redundant * total)) {
        useless.push(scalar)
        return
      }
      const pivot = Math.sqrt(left)
      const column = new Float64Array(block.length)
      for (let j = i + 1; j < block.length; j++) {
        let value = own[j]![i]!
        for (const earlier of kept) value -= earlier[i]! * earlier[j]!
        column[j] = value / pivot
      }
      kept.push(column)
      this.#factor.push(row, pivot)
      this.#solved.push((z[i]! - row.reduce((sum, x, k) => sum + x * this.#solved[k]!, 0)) / pivot)
      const { solution, ...rest } = scalar
      this.members.push({ scalar: rest, solution })
      if (this.#marginals) this.#memberRows.push(this.#rowOf(scalar.weights))
    })
    return useless
  }

  /** The best correction of the marginals' estimate, its variance, and the weight of every measurement in it. */
  estimate(question: Expressed): Correction {
    const { rows, own } = this.#covariancesOf([question])
    const predicted = rows[0]!
    this.#factor.solve(predicted)
    const variance = own[0]![0]! - dot(predicted, predicted)
    const known = this.#covariances.known(question.weights, question.weights)
    const largest = Math.max(known, own[0]![0]!)
    const gain = predicted.reduce((sum, x, k) => sum + x * this.#solved[k]!, 0)
    this.#factor.solveTransposed(predicted)
    const basis = new Float64Array(this.basis.length)
    basis.set(question.solution)
    this.members.forEach(({ solution }, j) => {
      for (let b = 0; b < solution.length; b++) basis[b]! -= predicted[j]! * solution[b]!
    })
    return { correction: this.#basisAnswer(question.solution) + gain, variance, largest, basis, members: predicted }
  }

  #basisAnswer(solution: Float64Array): number {
    let sum = 0
    for (let b = 0; b < solution.length; b++) sum += solution[b]! * this.basis[b]!.residual
    return sum
  }

  #rowOf(weights: Weights): Float64Array {
    return Float64Array.from(this.basis, (other) => this.#covariances.known(weights, other.weights))
  }

  /**
   * With h = q(x - x̂) - c·r_basis the error of the basis' answer to q: Cov(h, z_j) for all members and Cov(h, h') among
   * the block. Let u = K1(q - c·basis, basis) - s∘c; then Cov(h, z_j) = K1(q - c·basis, q_j) - W_j·u.
   */
  #covariancesOf(block: readonly Expressed[]): { rows: Float64Array[]; own: Float64Array[] } {
    const solutions = block.map(({ solution }) => solution)
    const known = (others: readonly Weights[]) =>
      block.map(({ weights }) =>
        this.#marginals
          ? Float64Array.from(others, (other) => this.#covariances.known(weights, other))
          : new Float64Array(others.length),
      )
    const toBasis = known(this.basis.map((b) => b.weights))
    const rows = known(this.members.map((m) => m.scalar.weights))
    const own = known(block.map((b) => b.weights))
    const blockRows = toBasis.map((row) => row.slice())
    if (this.#marginals) {
      subtractProducts(toBasis, solutions, this.#basisRows)
      subtractProducts(rows, solutions, this.#memberRows)
      subtractProducts(own, solutions, blockRows)
    }
    for (const [i, solution] of solutions.entries())
      for (let b = 0; b < solution.length; b++) toBasis[i]![b]! -= this.basis[b]!.variance * solution[b]!
    subtractProducts(
      rows,
      toBasis,
      this.members.map((m) => m.solution),
    )
    subtractProducts(own, toBasis, solutions)
    return { rows, own }
  }
}

function grown(row: Float64Array, length: number): Float64Array {
  const wide = new Float64Array(Math.max(length, 2 * row.length))
  wide.set(row)
  return wide
}
