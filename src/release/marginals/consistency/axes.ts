/** How the slices across one axis of a table lie in it. */
export interface Axis {
  /** How many slices. */
  readonly size: number
  /** Cells of one slice come in stretches of so many. */
  readonly inner: number
}

export const axesOf = (sizes: readonly number[]): Axis[] =>
  sizes.map((size, axis) => ({ size, inner: sizes.slice(axis + 1).reduce((product, n) => product * n, 1) }))

/** Adds a number of its own to every slice across an axis. */
export function addToSlices(table: Float64Array, { size, inner }: Axis, added: Float64Array): void {
  for (let start = 0, code = 0; start < table.length; start += inner, code = code + 1 === size ? 0 : code + 1) {
    const v = added[code]!
    for (let i = start; i < start + inner; i++) table[i]! += v
  }
}

/** Multiplies every slice across an axis by a number of its own. */
export function scaleSlices(table: Float64Array, { size, inner }: Axis, by: Float64Array): void {
  for (let start = 0, code = 0; start < table.length; start += inner, code = code + 1 === size ? 0 : code + 1) {
    const v = by[code]!
    for (let i = start; i < start + inner; i++) table[i]! *= v
  }
}

/** What the slices across an axis add up to, negative numbers taken for 0. */
export function sumsAlong(table: Float64Array, { size, inner }: Axis): Float64Array {
  const sums = new Float64Array(size)
  for (let start = 0, code = 0; start < table.length; start += inner, code = code + 1 === size ? 0 : code + 1) {
    let sum = 0
    for (let i = start; i < start + inner; i++) if (table[i]! > 0) sum += table[i]!
    sums[code]! += sum
  }
  return sums
}
