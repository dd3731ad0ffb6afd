import { projectOntoSimplex } from './simplex.ts'

/**
 * Moves a table to one that is nowhere negative and adds up, along each axis, to these one-way tables, which have one
 * total: Dykstra's alternating projections (Boyle and Dykstra 1986), whose limit is the nearest such table in the sum of
 * squares. The last axis' sums come out exact; every round brings the others' about three times nearer.
 */
export function projectOntoSums(
  table: Float64Array,
  sizes: readonly number[],
  sums: readonly Float64Array[],
  rounds: number,
): Float64Array {
  const x = table.slice()
  const corrections = sizes.map(() => new Float64Array(x.length))
  for (let round = 0; round < rounds; round++)
    for (const axis of sizes.keys()) projectSlices(x, sizes, axis, sums[axis]!, corrections[axis]!)
  return x
}

/** Every slice across an axis onto its own sum; what the last round took away here is given back first. */
function projectSlices(
  x: Float64Array,
  sizes: readonly number[],
  axis: number,
  sums: Float64Array,
  correction: Float64Array,
): void {
  const size = sizes[axis]!
  const inner = sizes.slice(axis + 1).reduce((product, n) => product * n, 1)
  const slice = new Float64Array(x.length / size)
  for (let code = 0; code < size; code++) {
    let at = 0
    for (let start = code * inner; start < x.length; start += size * inner)
      for (let i = start; i < start + inner; i++) slice[at++] = x[i]! += correction[i]!
    projectOntoSimplex(slice, sums[code]!)
    at = 0
    for (let start = code * inner; start < x.length; start += size * inner)
      for (let i = start; i < start + inner; i++, at++) {
        correction[i] = x[i]! - slice[at]!
        x[i] = slice[at]!
      }
  }
}
