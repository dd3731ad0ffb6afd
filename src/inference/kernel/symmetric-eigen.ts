/** Eigenvalues and, as rows, the eigenvectors of a symmetric matrix. */
interface Eigen {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
}

/** Sweeps over all pairs; ten are plenty for thousands of rows. */
const mostSweeps = 30

/**
 * Jacobi's rotations, which make one entry beside the diagonal 0 after the other (Golub and Van Loan, §8.5): slow, short, and as
 * precise as can be. The matrix is given by its rows up to the diagonal.
 */
export function symmetricEigen(rows: readonly Float64Array[]): Eigen {
  const n = rows.length
  const a = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => (j <= i ? rows[i]![j]! : rows[j]![i]!)),
  )
  const vectors = Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    let turned = 0
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        if (Math.abs(a[p]![q]!) <= 2 ** -60 * Math.sqrt(Math.abs(a[p]![p]! * a[q]![q]!))) continue
        turned++
        rotate(a, vectors, p, q)
      }
    if (turned === 0) break
  }
  return { values: Float64Array.from(a, (row, i) => row[i]!), vectors }
}

function rotate(a: readonly Float64Array[], vectors: readonly Float64Array[], p: number, q: number): void {
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const c = 1 / Math.hypot(t, 1)
  const s = t * c
  for (const row of a) {
    const [x, y] = [row[p]!, row[q]!]
    row[p] = c * x - s * y
    row[q] = s * x + c * y
  }
  turn(a[p]!, a[q]!, c, s)
  turn(vectors[p]!, vectors[q]!, c, s)
}

function turn(x: Float64Array, y: Float64Array, c: number, s: number): void {
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i]!, y[i]!]
    x[i] = c * a - s * b
    y[i] = s * a + c * b
  }
}
