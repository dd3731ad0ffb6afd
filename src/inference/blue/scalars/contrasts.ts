import { dot, subtractProducts, Triangle } from '../../../numeric/index.ts'
import type { Weights } from '../compile.ts'
import type { Covariances } from '../marginals/covariance.ts'
import { unit, unitsOf } from '../rounding.ts'
import type { Expressed, LeastSquares, Measured, Member, Shares } from './least-squares.ts'

/** Less than this share of a contrast's variance left: nothing but rounding errors would be. */
const redundant = 1e-12

/** Members that are taken in together: enough of them to multiply matrices with. */
const blockSize = 128

/**
 * Least squares over scalar measurements on top of marginals. The measurements of the basis alone would give an answer
 * to every question: its solution times theirs. Every other measurement j is a contrast,
 *
 *     z_j = r_j - W_j·r_basis,
 *
 * free of what marginals do not know: its mean is 0 and its covariance known (C, below). The best estimate is the
 * basis' answer corrected by the part of its error that the contrasts predict.
 */
export class Contrasts implements LeastSquares {
  readonly #covariances: Covariances
  readonly #basis: Measured[]
  readonly #members: Member[]
  /** K1 of basis and members with the basis, row by row; rows may have room behind. */
  readonly #basisRows: Float64Array[]
  readonly #memberRows: Float64Array[]
  /** Factor of C = Cov(z). */
  readonly #factor: Triangle
  /** Of the members: what noise and marginals leave uncertain about each by itself. */
  readonly #deviations: number[]

  constructor(covariances: Covariances, from?: Contrasts) {
    this.#covariances = covariances
    this.#basis = from ? from.#basis.slice() : []
    this.#members = from ? from.#members.slice() : []
    // Without the room behind: whoever of the two grows first would write into the other's.
    this.#basisRows = from ? from.#basisRows.map((row) => row.subarray(0, from.#basis.length)) : []
    this.#memberRows = from ? from.#memberRows.map((row) => row.subarray(0, from.#basis.length)) : []
    this.#factor = from ? from.#factor.fork() : new Triangle()
    this.#deviations = from ? from.#deviations.slice() : []
  }

  fork(): Contrasts {
    return new Contrasts(this.#covariances, this)
  }

  addBasis(measured: Measured): void {
    this.#basis.push(measured)
    const length = this.#basis.length
    const extend = (row: Float64Array, other: Measured): Float64Array => {
      const wide = row.length >= length ? row : grown(row, length)
      wide[length - 1] = this.#covariances.known(other.weights, measured.weights)
      return wide
    }
    for (const [i, row] of this.#basisRows.entries()) this.#basisRows[i] = extend(row, this.#basis[i]!)
    for (const [j, row] of this.#memberRows.entries()) this.#memberRows[j] = extend(row, this.#members[j]!)
    this.#basisRows.push(this.#rowOf(measured.weights))
  }

  addMembers(members: readonly Member[]): Member[] {
    const useless: Member[] = []
    for (let i = 0; i < members.length; i += blockSize) useless.push(...this.#addBlock(members.slice(i, i + blockSize)))
    return useless
  }

  #addBlock(block: readonly Member[]): Member[] {
    const before = this.#members.length
    const { rows, own } = this.#covariancesOf(block)
    this.#factor.solveRows(rows)
    const solved = rows.map((row) => row.subarray(0, before))
    subtractProducts(own, solved, solved)
    const useless: Member[] = []
    const kept: Float64Array[] = []
    block.forEach((member, i) => {
      const row = new Float64Array(before + kept.length)
      row.set(solved[i]!)
      for (const [k, column] of kept.entries()) row[before + k] = column[i]!
      const total = own[i]![i]! + dot(solved[i]!, solved[i]!) + member.variance
      const left = total - dot(row, row)
      if (!(left > redundant * total)) {
        useless.push(member)
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
      this.#members.push(member)
      this.#deviations.push(Math.sqrt(this.#covariances.known(member.weights, member.weights) + member.variance))
      this.#memberRows.push(this.#rowOf(member.weights))
    })
    return useless
  }

  shares(question: Expressed): Shares {
    const { rows, own } = this.#covariancesOf([question])
    const members = rows[0]!
    this.#factor.solve(members)
    const variance = own[0]![0]! - dot(members, members)
    this.#factor.solveTransposed(members)
    const { basis, sizes } = this.#basisShares(question.solution, members)
    const deviations = this.#deviationsOf(question, members, sizes)
    const units = unitsOf(members.length) * unit
    const largest = deviations * deviations
    return {
      basis,
      members,
      variance,
      largest,
      // The factor is that of a matrix which differs from C by some units of what C's numbers are differences of.
      excess: units * members.length * largest,
      misses: sizes.map((size) => units * size),
      deviations,
    }
  }

  /** No sum on the way to the variance is larger than the square of this: standard deviations add up. */
  #deviationsOf({ weights }: Expressed, members: Float64Array, sizes: Float64Array): number {
    let sum = Math.sqrt(this.#covariances.knownScale(weights))
    for (let b = 0; b < sizes.length; b++)
      sum += sizes[b]! * Math.sqrt(this.#basisRows[b]![b]! + this.#basis[b]!.variance)
    for (let j = 0; j < members.length; j++) sum += Math.abs(members[j]!) * this.#deviations[j]!
    return sum
  }

  /** What the members leave to the basis, and the sums of the sizes of what is added up to it. */
  #basisShares(solution: Float64Array, members: Float64Array): { basis: Float64Array; sizes: Float64Array } {
    const basis = new Float64Array(this.#basis.length)
    basis.set(solution)
    const sizes = basis.map(Math.abs)
    this.#members.forEach(({ solution: own }, j) => {
      const share = members[j]!
      for (let b = 0; b < own.length; b++) {
        basis[b]! -= share * own[b]!
        sizes[b]! += Math.abs(share * own[b]!)
      }
    })
    return { basis, sizes }
  }

  #rowOf(weights: Weights): Float64Array {
    return Float64Array.from(this.#basis, (other) => this.#covariances.known(weights, other.weights))
  }

  /**
   * With h = q(x - x̂) - c·r_basis the error of the basis' answer to q: Cov(h, z_j) for all members and Cov(h, h') among
   * the block. Let u = K1(q - c·basis, basis) - s∘c; then Cov(h, z_j) = K1(q - c·basis, q_j) - W_j·u.
   */
  #covariancesOf(block: readonly Expressed[]): { rows: Float64Array[]; own: Float64Array[] } {
    const solutions = block.map(({ solution }) => solution)
    const known = (others: readonly { readonly weights: Weights }[]) =>
      block.map(({ weights }) => Float64Array.from(others, (other) => this.#covariances.known(weights, other.weights)))
    const toBasis = known(this.#basis)
    const rows = known(this.#members)
    const own = known(block)
    const blockRows = toBasis.map((row) => row.slice())
    subtractProducts(toBasis, solutions, this.#basisRows)
    subtractProducts(rows, solutions, this.#memberRows)
    subtractProducts(own, solutions, blockRows)
    for (const [i, solution] of solutions.entries())
      for (let b = 0; b < solution.length; b++) toBasis[i]![b]! -= this.#basis[b]!.variance * solution[b]!
    subtractProducts(
      rows,
      toBasis,
      this.#members.map(({ solution }) => solution),
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
