/**
 * How far a table is off, relative to the true counts but never to less than the floor δ: the mean over its cells of
 * |released - true| / max(δ, true). The overall error (iReduct paper, Definition 6) is the mean over tables.
 */
export function relativeError(released: Float64Array, truth: Float64Array, floor: number): number {
  let sum = 0
  for (let i = 0; i < truth.length; i++) sum += Math.abs(released[i]! - truth[i]!) / Math.max(floor, truth[i]!)
  return sum / truth.length
}

/** What a table of zeros has: whoever has more would have known as much without looking. */
export const errorOfZeros = (truth: Float64Array, floor: number): number =>
  relativeError(new Float64Array(truth.length), truth, floor)

/** Expected errors are true within this factor, nine times of ten. */
const surely = 1.5

/** Whether tables of zeros would be as good, so that a warning is true: not where the two errors are too near to tell. */
export const isMostlyNoise = (expected: number, ofZeros: number): boolean => expected > surely * ofZeros
