import { kept } from '../kept.ts'

/**
 * Splits a table into its means and what is left, along every axis and in place: along an axis of n codes the last
 * place gets the mean, the others their difference from it. Nothing is lost, since differences from a mean add up to 0.
 * So the places where exactly the axes of B are not last hold the component B (derived in docs/algorithms/blue.md).
 */
export function centre(table: Float64Array, sizes: readonly number[]): void {
  let stride = 1
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const n = sizes[axis]!
    const period = stride * n
    for (let start = 0; start < table.length; start += period) {
      for (let at = start; at < start + stride; at++) {
        let sum = 0
        for (let c = at; c < at + period; c += stride) sum += table[c]!
        const mean = sum / n
        const last = at + period - stride
        for (let c = at; c < last; c += stride) table[c]! -= mean
        table[last] = mean
      }
    }
    stride = period
  }
}

/** The inverse of `centre`. */
export function spread(table: Float64Array, sizes: readonly number[]): void {
  let stride = 1
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const period = stride * sizes[axis]!
    for (let start = 0; start < table.length; start += period) {
      for (let at = start; at < start + stride; at++) {
        const last = at + period - stride
        const mean = table[last]!
        let rest = 0
        for (let c = at; c < last; c += stride) {
          rest += table[c]!
          table[c]! += mean
        }
        table[last] = mean - rest
      }
    }
    stride = period
  }
}

/** Calls back with the runs of places, from … up to but not to, of the component B in a centred table; `inside` marks its axes. */
export function forEachRun(
  sizes: readonly number[],
  inside: readonly boolean[],
  visit: (from: number, to: number) => void,
): void {
  const last = sizes.length - 1
  const walk = (axis: number, at: number): void => {
    const n = sizes[axis]!
    const from = inside[axis] ? at * n : at * n + n - 1
    const to = inside[axis] ? from + n - 1 : from + 1
    if (axis === last) visit(from, to)
    else for (let place = from; place < to; place++) walk(axis + 1, place)
  }
  if (last < 0) visit(0, 1)
  else walk(0, 0)
}

/** All subsets of a list, as marks: 2^length of them. Those of short lists are made once: every table asks for them. */
export function subsetsOf(length: number): readonly (readonly boolean[])[] {
  return length > longest ? marksOf(length) : kept(made, length, () => marksOf(length))
}

const marksOf = (length: number): boolean[][] =>
  Array.from({ length: 2 ** length }, (_, bits) =>
    Array.from({ length }, (_, i) => Math.floor(bits / 2 ** i) % 2 === 1),
  )
const made = new Map<number, readonly (readonly boolean[])[]>()
const longest = 8
