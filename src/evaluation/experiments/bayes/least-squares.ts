import { dot } from '../../../numeric/index.ts'

/** Less than this of a row left: it is a combination of the rows before. The rows hold small integers. */
const nothing = 1e-9

/**
 * Ordinary least squares over a growing list of answers: every answer counts the same, whatever its noise (the paper's
 * comparison, Li et al.). Rows are kept in coordinates of an orthonormal basis of their span, where the normal matrix
 * has an inverse.
 */
export class LeastSquares {
  readonly #basis: Float64Array[] = []
  readonly #rows: Float64Array[] = []
  readonly #answers: number[] = []

  append(row: Float64Array, answer: number): void {
    const rest = this.#without(this.#without(row)) // twice, for what rounding has left
    const length = Math.sqrt(dot(rest, rest))
    if (length > nothing * Math.sqrt(dot(row, row))) this.#basis.push(rest.map((value) => value / length))
    this.#rows.push(row)
    this.#answers.push(answer)
  }

  #without(row: Float64Array): Float64Array {
    const rest = row.slice()
    for (const direction of this.#basis) {
      const along = dot(rest, direction)
      for (let i = 0; i < rest.length; i++) rest[i]! -= along * direction[i]!
    }
    return rest
  }

  /** The fitted answer to a question within the span of the rows. */
  estimate(question: Float64Array): number {
    const coordinates = (row: Float64Array) => Float64Array.from(this.#basis, (direction) => dot(row, direction))
    const size = this.#basis.length
    const system = Array.from({ length: size }, () => new Float64Array(size + 1))
    for (const [k, row] of this.#rows.entries()) {
      const c = coordinates(row)
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) system[i]![j]! += c[i]! * c[j]!
        system[i]![size]! += c[i]! * this.#answers[k]!
      }
    }
    return dot(coordinates(question), solve(system))
  }
}

/** Gauss and Jordan on a positive definite matrix with its right side as the last column. */
function solve(system: Float64Array[]): Float64Array {
  const size = system.length
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      const factor = k === i ? 0 : system[k]![i]! / system[i]![i]!
      if (factor !== 0) for (let j = i; j <= size; j++) system[k]![j]! -= factor * system[i]![j]!
    }
  }
  return Float64Array.from(system, (row, i) => row[size]! / row[i]!)
}
