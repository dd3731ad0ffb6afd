import { strides } from '../../../../numeric/index.ts'
/** Counts over the product of some attributes' codes, dense, the last axis running fastest. */
export interface Histogram {
  /** Positions in the universe, ascending. */
  readonly attributes: readonly number[]
  readonly sizes: readonly number[]
  readonly counts: Float64Array
}

export const product = (sizes: readonly number[]): number => sizes.reduce((n, m) => n * m, 1)

export const emptyHistogram = (attributes: readonly number[], sizes: readonly number[]): Histogram => ({
  attributes,
  sizes,
  counts: new Float64Array(product(sizes)),
})

/** Visits every cell of a dense array in order, with its place in another one whose axes have these strides. */
export function project(
  sizes: readonly number[],
  steps: readonly number[],
  visit: (source: number, target: number) => void,
): void {
  const cells = product(sizes)
  const at = new Int32Array(sizes.length)
  let target = 0
  for (let source = 0; source < cells; source++) {
    visit(source, target)
    for (let axis = at.length - 1; axis >= 0; axis--) {
      target += steps[axis]!
      if (++at[axis]! < sizes[axis]!) break
      target -= steps[axis]! * sizes[axis]!
      at[axis] = 0
    }
  }
}

/** The histogram over a subset of the axes. */
function marginalise(h: Histogram, attributes: readonly number[]): Histogram {
  if (attributes.length === h.attributes.length) return h
  const small = emptyHistogram(
    attributes,
    attributes.map((a) => h.sizes[h.attributes.indexOf(a)]!),
  )
  const steps = strides(small.sizes)
  project(
    h.sizes,
    h.attributes.map((a) => steps[attributes.indexOf(a)] ?? 0),
    (source, target) => {
      small.counts[target]! += h.counts[source]!
    },
  )
  return small
}

/** The marginals of a histogram over some sets of its attributes, one after another. */
export function* marginalsOf(h: Histogram, sets: readonly (readonly number[])[]): Iterable<Histogram> {
  for (const set of sets) yield marginalise(h, set)
}
