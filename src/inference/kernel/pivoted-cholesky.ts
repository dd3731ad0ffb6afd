import { Triangle } from '../../numeric/index.ts'

/** What is left of a diagonal entry below this share of the largest is rounding. */
const rankTolerance = 1e-12

/** K = UUᵀ with as few columns as K has rank. */
interface PivotedCholesky {
  /** Rows that span all others, in the order in which they were taken. */
  readonly pivots: readonly number[]
  /** Of U. */
  readonly columns: readonly Float64Array[]
  /** The pivots' rows of U, a triangle. */
  readonly corner: Triangle
}

/** Of a matrix without negative eigenvalues, given by its rows up to the diagonal: the row with the most left is taken next. */
export function pivotedCholesky(rows: readonly Float64Array[]): PivotedCholesky {
  const left = Float64Array.from(rows, (row, i) => row[i]!)
  const scale = left.map((value) => Math.max(value, Number.MIN_VALUE))
  const [pivots, columns]: [number[], Float64Array[]] = [[], []]
  const corner = new Triangle()
  while (pivots.length < rows.length) {
    const pivot = largest(left, scale)
    if (!(left[pivot]! > rankTolerance * scale[pivot]!)) break
    const root = Math.sqrt(left[pivot]!)
    const own = Float64Array.from(columns, (column) => column[pivot]!)
    const column = Float64Array.from(rows, (row, i) => (i <= pivot ? rows[pivot]![i]! : row[pivot]!))
    for (const [k, other] of columns.entries())
      for (let i = 0; i < column.length; i++) column[i]! -= own[k]! * other[i]!
    for (let i = 0; i < column.length; i++) {
      column[i]! /= root
      left[i]! -= column[i]! ** 2
    }
    for (const taken of pivots) column[taken] = 0
    column[pivot] = root
    left[pivot] = 0
    pivots.push(pivot)
    columns.push(column)
    corner.push(own, root)
  }
  return { pivots, columns, corner }
}

/** The row of which the largest share is left. */
function largest(left: Float64Array, scale: Float64Array): number {
  let best = 0
  for (let i = 1; i < left.length; i++) if (left[i]! / scale[i]! > left[best]! / scale[best]!) best = i
  return best
}
