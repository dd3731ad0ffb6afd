/** One row per group, one column per component. */
export interface Panel {
  readonly rows: number
  readonly values: Float32Array | Float64Array
}

/** Σ_k weights[k] · Π_axis panel[group][k], for every combination of groups, the last axis running fastest; added to `into`. */
export function addProductSums(weights: Float64Array, axes: readonly Panel[], into: Float64Array): void {
  const count = weights.length
  const last = axes.at(-1)
  // One list of partial products per axis before the last.
  const partial = axes.map(() => new Float64Array(count))
  let cell = 0
  const descend = (axis: number, factors: Float64Array): void => {
    const { rows, values } = axes[axis]!
    const isLast = axis === axes.length - 1
    const products = partial[axis]!
    for (let row = 0, at = 0; row < rows; row++, at += count) {
      if (isLast) into[cell++]! += dotAt(factors, values, at)
      else {
        for (let k = 0; k < count; k++) products[k] = factors[k]! * values[at + k]!
        descend(axis + 1, products)
      }
    }
  }
  if (last) descend(0, weights)
  else into[0]! += weights.reduce((sum, weight) => sum + weight, 0)
}

function dotAt(x: Float64Array, y: Float32Array | Float64Array, at: number): number {
  // Four sums side by side: each addition need not wait for the one before.
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let k = 0
  for (; k + 3 < x.length; k += 4) {
    s0 += x[k]! * y[at + k]!
    s1 += x[k + 1]! * y[at + k + 1]!
    s2 += x[k + 2]! * y[at + k + 2]!
    s3 += x[k + 3]! * y[at + k + 3]!
  }
  for (; k < x.length; k++) s0 += x[k]! * y[at + k]!
  return s0 + s1 + (s2 + s3)
}
