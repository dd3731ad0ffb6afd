import { dot } from '../../numeric/index.ts'

/** A symmetric matrix, given by its rows up to the diagonal, times a vector. */
export function symmetricProduct(rows: readonly Float64Array[], vector: Float64Array): Float64Array {
  const result = new Float64Array(rows.length)
  for (const [i, row] of rows.entries()) {
    const value = vector[i]!
    if (value !== 0) addTimes(result, row, value, i)
    result[i]! += dot(row, vector)
  }
  return result
}

/** Adds a multiple of a row to the first entries. */
function addTimes(result: Float64Array, row: Float64Array, times: number, count: number): void {
  for (let j = 0; j < count; j++) result[j]! += times * row[j]!
}
