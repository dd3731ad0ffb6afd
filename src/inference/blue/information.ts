import { cholesky, dot, subtractProducts, Triangle } from '../../numeric/index.ts'
import type { Expressed, LeastSquares, Measured, Member, Shares } from './least-squares.ts'

/** A member, and its solution in standard deviations: the basis' over its own. */
interface Known {
  readonly member: Member
  readonly row: Float64Array
}

/** One more member costs a rotation per entry of the factor, which is so many times slower than multiplying matrices. */
const slowness = 25

/** Members whose products are added up together: their rows stay in the cache while they are turned into columns. */
const together = 256

/**
 * Least squares over scalar measurements whose only uncertainty is their own noise. Unknown are the basis' exact answers
 * β; every measurement is W·β plus noise, with W the identity on the basis. In standard deviations of the basis the
 * information is
 *
 *     M = I + Σ v·vᵀ over the members, v their solutions in standard deviations,
 *
 * as large as the basis however many answers there are, and never near to singular. For a question with solution c the
 * best shares of the measurements are S⁻¹·W·M⁻¹·c, up to these units.
 */
export class Information implements LeastSquares {
  /** Standard deviations of the basis when it was taken in: units, which stay when an answer is refined. */
  readonly #units: number[]
  readonly #variances: number[]
  readonly #members: Known[]
  /** Factor of M; undefined when it has to be computed anew. */
  #factor: Triangle | undefined

  constructor(from?: Information) {
    this.#units = from ? from.#units.slice() : []
    this.#variances = from ? from.#variances.slice() : []
    this.#members = from ? from.#members.slice() : []
    this.#factor = from ? from.#factor?.fork() : new Triangle()
  }

  fork(): Information {
    return new Information(this)
  }

  addBasis({ variance }: Measured): void {
    this.#units.push(Math.sqrt(variance))
    this.#variances.push(variance)
    this.#factor?.push(new Float64Array(this.#units.length - 1), 1)
  }

  addMembers(members: readonly Member[]): Member[] {
    const fresh = members.map((member) => this.#known(member))
    this.#members.push(...fresh)
    if (slowness * members.length > this.#members.length + this.#units.length / 3) this.#factor = undefined
    for (const { row } of fresh) this.#update(row)
    return []
  }

  /** A measurement of the basis, or a member, has less noise now. */
  refineBasis(place: number, variance: number): void {
    const gain = 1 / variance - 1 / this.#variances[place]!
    this.#variances[place] = variance
    const row = new Float64Array(this.#units.length)
    row[place] = this.#units[place]! * Math.sqrt(gain)
    this.#update(row)
  }

  refineMember(place: number, variance: number): void {
    const { member } = this.#members[place]!
    this.#members[place] = this.#known({ ...member, variance })
    const gain = 1 / variance - 1 / member.variance
    this.#update(member.solution.map((value, b) => value * this.#units[b]! * Math.sqrt(gain)))
  }

  shares({ solution }: Expressed): Shares {
    this.#factor ??= this.#factored()
    const factor = this.#factor
    const basis = new Float64Array(this.#units.length)
    const members = new Float64Array(this.#members.length)
    // What the shares do not add up to yet, in units; the second round takes what rounding errors have left of it.
    for (const _ of [1, 2]) {
      const missing = basis.map((share, b) => this.#units[b]! * ((solution[b] ?? 0) - share))
      for (const [j, { row, member }] of this.#members.entries())
        subtract(missing, row, members[j]! * Math.sqrt(member.variance))
      factor.solve(missing)
      factor.solveTransposed(missing)
      for (let b = 0; b < basis.length; b++) basis[b]! += (this.#units[b]! * missing[b]!) / this.#variances[b]!
      for (const [j, { row, member }] of this.#members.entries())
        members[j]! += dot(row, missing) / Math.sqrt(member.variance)
    }
    const variance =
      basis.reduce((sum, share, b) => sum + share * share * this.#variances[b]!, 0) +
      members.reduce((sum, share, j) => sum + share * share * this.#members[j]!.member.variance, 0)
    return { basis, members, variance, largest: variance }
  }

  #known(member: Member): Known {
    const deviation = Math.sqrt(member.variance)
    return { member, row: member.solution.map((value, b) => (value * this.#units[b]!) / deviation) }
  }

  /** M + row·rowᵀ. Where a variance has grown the row has no real numbers, and M is computed anew. */
  #update(row: Float64Array): void {
    if (!this.#factor) return
    const whole = new Float64Array(this.#units.length)
    whole.set(row)
    this.#factor = row.every(Number.isFinite) ? this.#factor.updated(whole) : undefined
  }

  #factored(): Triangle {
    const matrix = this.#units.map(() => new Float64Array(this.#units.length))
    for (let j = 0; j < this.#members.length; j += together) {
      const columns = columnsOf(this.#members.slice(j, j + together), this.#units.length)
      subtractProducts(matrix, columns, columns)
    }
    for (const [b, row] of matrix.entries()) {
      for (let t = 0; t <= b; t++) row[t] = -row[t]!
      row[b]! += this.#units[b]! ** 2 / this.#variances[b]!
    }
    return cholesky(matrix)
  }
}

function columnsOf(members: readonly Known[], length: number): Float64Array[] {
  const columns = Array.from({ length }, () => new Float64Array(members.length))
  members.forEach(({ row }, j) => {
    for (let b = 0; b < row.length; b++) columns[b]![j] = row[b]!
  })
  return columns
}

function subtract(x: Float64Array, row: Float64Array, times: number): void {
  if (times === 0) return
  for (let b = 0; b < row.length; b++) x[b]! -= times * row[b]!
}
