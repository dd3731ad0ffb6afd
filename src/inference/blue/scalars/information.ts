import { cholesky, dot, subtractProducts, type Triangle } from '../../../numeric/index.ts'
import { unit, unitsOf } from '../rounding.ts'
import type { Expressed, LeastSquares, Measured, Member, Shares } from './least-squares.ts'
import { addSizes, addSquare, along, placesOf, subtract } from './sparse-row.ts'

/** A member, and its solution in standard deviations: the basis' over its own. */
interface Known {
  readonly member: Member
  readonly row: Float64Array
  /** Where the solution is not 0, if that is in few places: ranges that add up to a range are few, however long the history. */
  readonly places: Int32Array | undefined
}

/** One more member costs a rotation per entry of the factor, which is so many times slower than multiplying matrices. */
const slowness = 25
/** Members whose products are added up together: their rows stay in the cache while they are turned into columns. */
const blockSize = 256

/**
 * Least squares over scalar measurements whose only uncertainty is their own noise. Unknown are the basis' exact answers
 * β; every measurement is W·β plus noise, with W the identity on the basis. In standard deviations of the basis the
 * information is
 *
 *     M = I + Vᵀ·V, a row of V for every member: its solution in standard deviations,
 *
 * as large as the basis however many answers there are, and never near to singular. For a question with solution c the
 * best shares of the measurements are S⁻¹·W·M⁻¹·c, up to these units. Where there are fewer members than basis, the
 * inverse comes from C = I + V·Vᵀ instead: M⁻¹ = I - Vᵀ·C⁻¹·V (Woodbury).
 */
export class Information implements LeastSquares {
  /** Of the basis: variances, and standard deviations as units. M's stay as they were when an answer is refined. */
  readonly #variances: number[]
  readonly #units: number[]
  readonly #members: Known[]
  /** Factor of M or of C; undefined when it has to be computed anew. */
  #factor: { readonly of: 'M' | 'C'; readonly triangle: Triangle } | undefined

  constructor(from?: Information) {
    this.#variances = from ? from.#variances.slice() : []
    this.#units = from ? from.#units.slice() : []
    this.#members = from ? from.#members.slice() : []
    const factor = from ? from.#factor : undefined
    this.#factor = factor && { of: factor.of, triangle: factor.triangle.fork() }
  }

  fork(): Information {
    return new Information(this)
  }

  addBasis({ variance }: Measured): void {
    this.#variances.push(variance)
    this.#units.push(Math.sqrt(variance))
    if (this.#factor?.of === 'M') this.#factor.triangle.push(new Float64Array(this.#units.length - 1), 1)
    this.#choose()
  }

  addMembers(members: readonly Member[]): Member[] {
    const fresh = members.map((member) => this.#known(member))
    if (slowness * members.length > this.#wide.length + this.#units.length / 3) this.#factor = undefined
    for (const next of fresh) {
      if (this.#factor?.of === 'M') this.#update(next.row)
      else if (this.#factor) this.#extend(this.#factor.triangle, next.row)
      this.#members.push(next)
    }
    this.#choose()
    return []
  }

  /** A measurement of the basis, or a member, has other noise now; less of it is a product more in M. */
  refineBasis(place: number, variance: number): void {
    const gain = Math.sqrt(1 / variance - 1 / this.#variances[place]!)
    this.#variances[place] = variance
    if (this.#factor?.of === 'M' && gain > 0) {
      const row = new Float64Array(this.#units.length)
      row[place] = this.#units[place]! * gain
      this.#update(row)
    } else this.#factor = undefined
  }

  refineMember(place: number, variance: number): void {
    const { member } = this.#members[place]!
    this.#members[place] = this.#known({ ...member, variance })
    const gain = Math.sqrt(1 / variance - 1 / member.variance)
    if (this.#factor?.of === 'M' && gain > 0) this.#update(member.solution.map((c, b) => c * this.#units[b]! * gain))
    else this.#factor = undefined
  }

  shares({ solution }: Expressed): Shares {
    if (solution.every((c) => c === 0)) return { ...this.#plain(solution), variance: 0, largest: 0, excess: 0 }
    this.#factor ??= this.#factored()
    const { of, triangle } = this.#factor
    const basis = new Float64Array(this.#units.length)
    const members = new Float64Array(this.#members.length)
    let least = 0
    // What the shares do not add up to yet, in units; the second round takes what rounding errors have left of it.
    for (const round of [1, 2]) {
      const missing = basis.map((share, b) => this.#units[b]! * ((solution[b] ?? 0) - share))
      for (const [j, { row, places, member }] of this.#members.entries())
        subtract(missing, row, places, members[j]! * Math.sqrt(member.variance))
      this.#solve(of, triangle, missing)
      if (round === 1) least = solution.reduce((sum, c, b) => sum + c * this.#units[b]! * missing[b]!, 0)
      for (let b = 0; b < basis.length; b++) basis[b]! += (this.#units[b]! * missing[b]!) / this.#variances[b]!
      for (const [j, { row, places, member }] of this.#members.entries())
        members[j]! += along(missing, row, places) / Math.sqrt(member.variance)
    }
    const misses = this.#complete(solution, basis, members)
    const variance =
      basis.reduce((sum, share, b) => sum + share * share * this.#variances[b]!, 0) +
      members.reduce((sum, share, j) => sum + share * share * this.#members[j]!.member.variance, 0)
    const plain = solution.reduce((sum, c, b) => sum + c * c * this.#variances[b]!, 0)
    // The basis alone is never better: then rounding has spoilt the others' shares.
    if (!(variance <= 2 * plain)) return { ...this.#plain(solution), variance: plain, largest: plain, excess: plain }
    const excess = Math.max(Math.abs(variance - least), variance - plain)
    return { basis, members, variance, largest: variance, excess, misses, deviations: 0 }
  }

  /** The shares of the basis' answers by themselves. */
  #plain(solution: Float64Array): Pick<Shares, 'basis' | 'members' | 'misses' | 'deviations'> {
    const basis = new Float64Array(this.#units.length)
    basis.set(solution)
    const misses = basis.map((share) => unit * Math.abs(share))
    return { basis, members: new Float64Array(this.#members.length), misses, deviations: 0 }
  }

  /** Adds what shares still miss of a solution to those of the basis; returns how much of it may be left. */
  #complete(solution: Float64Array, basis: Float64Array, members: Float64Array): Float64Array {
    const missing = basis.map((share, b) => (solution[b] ?? 0) - share)
    const sizes = basis.map((share, b) => Math.abs(solution[b] ?? 0) + Math.abs(share))
    for (const [j, { member, places }] of this.#members.entries()) {
      subtract(missing, member.solution, places, members[j]!)
      addSizes(sizes, member.solution, places, Math.abs(members[j]!))
    }
    for (let b = 0; b < basis.length; b++) basis[b]! += missing[b]!
    const units = unitsOf(members.length) * unit
    return sizes.map((size) => units * size)
  }

  #known(member: Member): Known {
    const deviation = Math.sqrt(member.variance)
    const row = member.solution.map((value, b) => (value * this.#units[b]!) / deviation)
    return { member, row, places: placesOf(member.solution) }
  }

  /** x ← M⁻¹x. */
  #solve(of: 'M' | 'C', triangle: Triangle, x: Float64Array): void {
    const y = of === 'M' ? x : Float64Array.from(this.#members, ({ row, places }) => along(x, row, places))
    triangle.solve(y)
    triangle.solveTransposed(y)
    if (of === 'C') for (const [j, { row, places }] of this.#members.entries()) subtract(x, row, places, y[j]!)
  }

  /** M + row·rowᵀ. */
  #update(row: Float64Array): void {
    const whole = new Float64Array(this.#units.length)
    whole.set(row)
    this.#factor = { of: 'M', triangle: this.#factor!.triangle.updated(whole) }
  }

  /** One more row and column of C. */
  #extend(triangle: Triangle, row: Float64Array): void {
    const whole = new Float64Array(this.#units.length)
    whole.set(row)
    const products = Float64Array.from(this.#members, (other) => along(whole, other.row, other.places))
    triangle.solve(products)
    triangle.push(products, Math.sqrt(1 + dot(row, row) - dot(products, products)))
  }

  /** Gives up a factor that is far larger than the other one would be. */
  #choose(): void {
    const [m, r] = [this.#members.length, this.#units.length]
    if (this.#factor?.of === 'M' ? r > 2 * m : m > 2 * r) this.#factor = undefined
  }

  /** In fresh units, so that what is added to the products is the identity. */
  #factored(): { of: 'M' | 'C'; triangle: Triangle } {
    this.#renew()
    const of = this.#members.length > this.#units.length ? 'M' : 'C'
    const matrix = of === 'M' ? this.#information() : this.#contrasts()
    for (const [b, row] of matrix.entries()) row[b]! += 1
    return { of, triangle: cholesky(matrix) }
  }

  /** Units as the variances now are: only refinements change them. */
  #renew(): void {
    const units = this.#variances.map(Math.sqrt)
    if (units.every((unit, b) => unit === this.#units[b])) return
    for (const [b, unit] of units.entries()) this.#units[b] = unit
    for (const [j, { member }] of this.#members.entries()) this.#members[j] = this.#known(member)
  }

  /** Members that are made of much of the basis. Most are made of little of it, and their products are few numbers. */
  get #wide(): Known[] {
    return this.#members.filter(({ places }) => !places)
  }

  /** Vᵀ·V up to the diagonal. */
  #information(): Float64Array[] {
    const matrix = this.#units.map(() => new Float64Array(this.#units.length))
    for (const { row, places } of this.#members) if (places) addSquare(matrix, row, places)
    const wide = this.#wide
    for (let j = 0; j < wide.length; j += blockSize) {
      const columns = columnsOf(wide.slice(j, j + blockSize), this.#units.length)
      subtractProducts(matrix, columns, columns.map(negative))
    }
    return matrix
  }

  /** V·Vᵀ */
  #contrasts(): Float64Array[] {
    const matrix = this.#members.map(() => new Float64Array(this.#members.length))
    const rows = this.#members.map(({ row }) => row)
    subtractProducts(matrix, rows, rows.map(negative))
    return matrix
  }
}

const negative = (row: Float64Array): Float64Array => row.map((value) => -value)

function columnsOf(members: readonly Known[], length: number): Float64Array[] {
  const columns = Array.from({ length }, () => new Float64Array(members.length))
  members.forEach(({ row }, j) => {
    for (let b = 0; b < row.length; b++) columns[b]![j] = row[b]!
  })
  return columns
}
