import { dot, subtractProducts } from './products.ts'
import { Triangle } from './triangle.ts'

/** Rows that are factored together: enough of them to multiply matrices with. */
const blockSize = 128

/**
 * The Cholesky factor of a symmetric matrix that is clearly positive definite, given by rows, of which the part up to the
 * diagonal counts.
 */
export function cholesky(matrix: readonly Float64Array[]): Triangle {
  const factor = new Triangle()
  extendCholesky(factor, matrix)
  return factor
}

/** More rows of the matrix that the factor is of: their columns are those of all rows before them, and their own. */
export function extendCholesky(factor: Triangle, rows: readonly Float64Array[]): void {
  for (let next = 0; next < rows.length; next += blockSize) {
    const first = factor.size
    const block = rows.slice(next, next + blockSize)
    const before = block.map((row) => row.slice(0, first))
    const own = block.map((row) => row.slice(first, first + block.length))
    factor.solveRows(before)
    subtractProducts(own, before, before)
    for (const [i, row] of own.entries()) {
      for (let j = 0; j < i; j++) row[j] = (row[j]! - dot(row, own[j]!, j)) / own[j]![j]!
      row[i] = Math.sqrt(row[i]! - dot(row, row, i))
      const whole = new Float64Array(first + i)
      whole.set(before[i]!)
      whole.set(row.subarray(0, i), first)
      factor.push(whole, row[i]!)
    }
  }
}
