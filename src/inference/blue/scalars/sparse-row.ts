import { dot } from '../../../numeric/index.ts'

// Products with rows that are 0 almost everywhere, by the places where they are not. Without places, a row is taken as a whole.
// The loops are functions by themselves, of typed arrays alone: the compiler makes such a one fast at its first use.

/** Looking up a place takes as long as so many numbers in a row. */
const slowness = 4

/** Where a row is not 0; undefined where that is in too many places to be worth it. */
export function placesOf(row: Float64Array): Int32Array | undefined {
  let count = 0
  for (let b = 0; b < row.length; b++) if (row[b] !== 0) count++
  if (slowness * count > row.length) return undefined
  const places = new Int32Array(count)
  for (let b = 0, k = 0; b < row.length; b++) if (row[b] !== 0) places[k++] = b
  return places
}

/** x·row; x may be longer. */
export function along(x: Float64Array, row: Float64Array, places: Int32Array | undefined): number {
  if (!places) return dot(row, x)
  let sum = 0
  for (let k = 0; k < places.length; k++) sum += row[places[k]!]! * x[places[k]!]!
  return sum
}

/** x ← x - times·row */
export function subtract(x: Float64Array, row: Float64Array, places: Int32Array | undefined, times: number): void {
  if (times === 0) return
  if (!places) for (let b = 0; b < row.length; b++) x[b]! -= times * row[b]!
  else for (let k = 0; k < places.length; k++) x[places[k]!]! -= times * row[places[k]!]!
}

/** sizes ← sizes + times·|row| */
export function addSizes(sizes: Float64Array, row: Float64Array, places: Int32Array | undefined, times: number): void {
  if (times === 0) return
  if (!places) for (let b = 0; b < row.length; b++) sizes[b]! += times * Math.abs(row[b]!)
  else for (let k = 0; k < places.length; k++) sizes[places[k]!]! += times * Math.abs(row[places[k]!]!)
}

/** matrix ← matrix + row·rowᵀ, up to the diagonal. */
export function addSquare(matrix: readonly Float64Array[], row: Float64Array, places: Int32Array): void {
  for (let k = 0; k < places.length; k++) addUpTo(matrix[places[k]!]!, row, places, k)
}

function addUpTo(to: Float64Array, row: Float64Array, places: Int32Array, last: number): void {
  const times = row[places[last]!]!
  for (let k = 0; k <= last; k++) to[places[k]!]! += times * row[places[k]!]!
}
