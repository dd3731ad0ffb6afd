/** How far apart in a flat table two neighbours along each axis are; the last axis runs fastest. */
export function strides(sizes: readonly number[]): number[] {
  const steps = sizes.map(() => 1)
  for (let axis = sizes.length - 2; axis >= 0; axis--) steps[axis] = steps[axis + 1]! * sizes[axis + 1]!
  return steps
}
