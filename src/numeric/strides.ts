/** How far apart in a flat table two neighbours along each axis are; the last axis runs fastest. */
export function strides(sizes: readonly number[]): number[] {
  const steps = sizes.map(() => 1)
  for (let axis = sizes.length - 2; axis >= 0; axis--) steps[axis] = steps[axis + 1]! * sizes[axis + 1]!
  return steps
}

/** Σ code·step of every combination of codes, the last axis running fastest. */
export function offsets(sizes: readonly number[], steps: readonly number[]): Int32Array {
  let sums = Int32Array.of(0)
  for (const [axis, size] of sizes.entries()) {
    const longer = new Int32Array(sums.length * size)
    let next = 0
    for (const sum of sums) for (let code = 0; code < size; code++) longer[next++] = sum + code * steps[axis]!
    sums = longer
  }
  return sums
}

/** Every product of a number of each, the last running fastest. */
export function outer(a: Float64Array, b: Float64Array): Float64Array {
  const products = new Float64Array(a.length * b.length)
  for (let i = 0, next = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) products[next++] = a[i]! * b[j]!
  return products
}
