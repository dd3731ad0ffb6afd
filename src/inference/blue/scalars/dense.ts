import { dot } from '../../../numeric/index.ts'

/** Explicit cells: what the paper works with (Eq. 9), and as slow as their number makes it. */
interface DenseHistory {
  /** H: one row per noisy number, one column per cell. */
  readonly rows: readonly Float64Array[]
  readonly variances: ArrayLike<number>
}

/** Less than this share of a column left: it is a combination of the columns before. */
const roundingTolerance = 1e-10

/**
 * The best linear unbiased estimate over explicit cells (Eq. 15-17), the obvious twin of everything else in this folder.
 * Of all A with A·H = q it takes the one with the least Σ A²·variance. In b = A·√variance that is the shortest b with
 * given products b·g = q(cell) with the columns g of H/√variance. undefined where there is none, to about 9 digits.
 */
export function denseEstimate(
  { rows, variances }: DenseHistory,
  question: Float64Array,
): { coefficients: Float64Array; variance: number } | undefined {
  const deviations = Float64Array.from(variances, Math.sqrt)
  const columns = Array.from(question, (_, cell) => Float64Array.from(rows, (row, k) => row[cell]! / deviations[k]!))
  const first = shortest(columns, question)
  if (!first) return undefined
  // Once more for what rounding errors have left.
  const missing = question.map((value, cell) => value - dot(first, columns[cell]!))
  const second = shortest(columns, missing) ?? new Float64Array(rows.length)
  const b = first.map((value, k) => value + second[k]!)
  return { coefficients: b.map((value, k) => value / deviations[k]!), variance: dot(b, b) }
}

/** The shortest b with these products: a combination of the columns, made orthogonal one after the other. */
function shortest(given: readonly Float64Array[], products: Float64Array): Float64Array | undefined {
  const columns = [...given]
  const wanted = products.slice()
  const open = new Set(columns.keys())
  const largest = columns.reduce((most, column) => Math.max(most, length(column)), 0)
  const b = new Float64Array(columns[0]!.length)
  for (;;) {
    const next = [...open].reduce((x, y) => (x >= 0 && length(columns[x]!) >= length(columns[y]!) ? x : y), -1)
    const norm = next < 0 ? 0 : length(columns[next]!)
    if (norm <= roundingTolerance * largest) break
    open.delete(next)
    const direction = columns[next]!.map((value) => value / norm)
    const product = wanted[next]! / norm
    direction.forEach((value, k) => {
      b[k]! += product * value
    })
    for (const cell of open) {
      const along = dot(columns[cell]!, direction)
      columns[cell] = columns[cell]!.map((value, k) => value - along * direction[k]!)
      wanted[cell]! -= along * product
    }
  }
  return [...open].some((cell) => Math.abs(wanted[cell]!) > 1e-9 * length(b) * largest) ? undefined : b
}

const length = (x: Float64Array) => Math.sqrt(dot(x, x))
