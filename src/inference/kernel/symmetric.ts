/** A symmetric matrix, given by its rows up to the diagonal, times a vector. Each number of a row is read once, for both places that it has. */
export function symmetricProduct(rows: readonly Float64Array[], vector: Float64Array): Float64Array {
  const result = new Float64Array(rows.length)
  // Four rows share what is read and written beside them.
  const whole = rows.length & ~3
  for (let i = 0; i < whole; i += 4) {
    addFour(result, rows, vector, i)
    for (let k = i; k < i + 4; k++) addRow(result, rows[k]!, vector, i, k)
  }
  for (let k = whole; k < rows.length; k++) addRow(result, rows[k]!, vector, 0, k)
  return result
}

/** Rows i … i + 3 up to the column before i. */
function addFour(result: Float64Array, rows: readonly Float64Array[], vector: Float64Array, i: number): void {
  const [r0, r1, r2, r3] = [rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!]
  const [v0, v1, v2, v3] = [vector[i]!, vector[i + 1]!, vector[i + 2]!, vector[i + 3]!]
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  for (let j = 0; j < i; j++) {
    const v = vector[j]!
    const a = r0[j]!
    const b = r1[j]!
    const c = r2[j]!
    const d = r3[j]!
    s0 += a * v
    s1 += b * v
    s2 += c * v
    s3 += d * v
    result[j]! += a * v0 + b * v1 + (c * v2 + d * v3)
  }
  result[i]! += s0
  result[i + 1]! += s1
  result[i + 2]! += s2
  result[i + 3]! += s3
}

/** Row k from a column on, the diagonal once. */
function addRow(result: Float64Array, row: Float64Array, vector: Float64Array, from: number, k: number): void {
  let sum = row[k]! * vector[k]!
  for (let j = from; j < k; j++) {
    sum += row[j]! * vector[j]!
    result[j]! += row[j]! * vector[k]!
  }
  result[k]! += sum
}
