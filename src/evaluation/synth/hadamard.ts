/**
 * The Walsh-Hadamard transform, in place: Σ over cells of (-1)^|s ∧ cell| · value for every set s of bits. Twice over it is
 * the number of cells times what it was.
 */
export function hadamard(values: Float64Array): Float64Array {
  for (let half = 1; half < values.length; half *= 2)
    for (let from = 0; from < values.length; from += 2 * half)
      for (let i = from; i < from + half; i++) {
        const [x, y] = [values[i]!, values[i + half]!]
        values[i] = x + y
        values[i + half] = x - y
      }
  return values
}

/** The number of bits that are set. */
export function degreeOf(set: number): number {
  let degree = 0
  for (let rest = set; rest > 0; rest &= rest - 1) degree++
  return degree
}
