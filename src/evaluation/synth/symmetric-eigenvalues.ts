import { dot } from '../../numeric/index.ts'

/**
 * The eigenvalues of a symmetric matrix, given by rows, which are used up: Householder's reflections to a tridiagonal
 * matrix, then QL with implicit shifts (Golub and Van Loan, §8.3). In no order.
 */
export function symmetricEigenvalues(matrix: readonly Float64Array[]): Float64Array {
  const { diagonal, beside } = tridiagonal(matrix)
  return ql(diagonal, beside)
}

interface Tridiagonal {
  readonly diagonal: Float64Array
  /** beside[i] stands between i and i + 1. */
  readonly beside: Float64Array
}

function tridiagonal(a: readonly Float64Array[]): Tridiagonal {
  const n = a.length
  const beside = new Float64Array(n)
  for (let i = n - 1; i > 0; i--) {
    const v = a[i]!.subarray(0, i)
    const last = v[i - 1]!
    const length = Math.sqrt(dot(v, v))
    const rest = v.subarray(0, i - 1)
    if (dot(rest, rest) === 0) {
      beside[i - 1] = last
      continue
    }
    const alpha = last > 0 ? -length : length
    beside[i - 1] = alpha
    v[i - 1] = last - alpha
    reflect(a, v, i)
  }
  return { diagonal: Float64Array.from(a, (row, i) => row[i]!), beside }
}

/** A ← HAH with H = I - 2vvᵀ/vᵀv on the first i rows and columns; the lower triangle counts. */
function reflect(a: readonly Float64Array[], v: Float64Array, i: number): void {
  const scale = 2 / dot(v, v)
  const p = new Float64Array(i)
  for (let r = 0; r < i; r++) {
    const row = a[r]!
    let sum = row[r]! * v[r]!
    for (let c = 0; c < r; c++) {
      sum += row[c]! * v[c]!
      p[c]! += row[c]! * v[r]!
    }
    p[r]! += sum
  }
  for (let r = 0; r < i; r++) p[r]! *= scale
  const half = (scale * dot(p, v)) / 2
  for (let r = 0; r < i; r++) p[r]! -= half * v[r]!
  for (let r = 0; r < i; r++) {
    const row = a[r]!
    for (let c = 0; c <= r; c++) row[c]! -= v[r]! * p[c]! + p[r]! * v[c]!
  }
}

/** More steps than any eigenvalue has ever taken. */
const mostSteps = 60

function ql(d: Float64Array, e: Float64Array): Float64Array {
  const n = d.length
  const isSplit = (m: number) => Math.abs(e[m]!) <= Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))
  for (let l = 0; l < n; l++)
    for (let step = 0; step < mostSteps; step++) {
      let m = l
      while (m < n - 1 && !isSplit(m)) m++
      if (m === l) break
      sweep(d, e, l, m)
    }
  return d
}

/** One chase of the bulge from m up to l. */
function sweep(d: Float64Array, e: Float64Array, l: number, m: number): void {
  let g = (d[l + 1]! - d[l]!) / (2 * e[l]!)
  const r = Math.hypot(g, 1)
  g = d[m]! - d[l]! + e[l]! / (g + (g >= 0 ? r : -r))
  let [s, c, p] = [1, 1, 0]
  for (let i = m - 1; i >= l; i--) {
    const [f, b] = [s * e[i]!, c * e[i]!]
    const length = Math.hypot(f, g)
    e[i + 1] = length
    if (length === 0) {
      d[i + 1]! -= p
      e[m] = 0
      return
    }
    s = f / length
    c = g / length
    const next = d[i + 1]! - p
    const turned = (d[i]! - next) * s + 2 * c * b
    p = s * turned
    d[i + 1] = next + p
    g = c * turned - b
  }
  d[l]! -= p
  e[l] = g
  e[m] = 0
}
