/** Enough for a step that a line search judges. */
const accuracy = 1e-3
const maxIterations = 60

/** Solves A·x = b for a symmetric positive definite A that is known by its products, about. */
export function conjugateGradient(times: (x: Float64Array) => Float64Array, b: Float64Array): Float64Array {
  const x = new Float64Array(b.length)
  const left = b.slice()
  const direction = b.slice()
  let size = square(left)
  const small = size * accuracy ** 2
  for (let i = 0; i < maxIterations && size > small; i++) {
    const image = times(direction)
    let curvature = 0
    for (let k = 0; k < b.length; k++) curvature += direction[k]! * image[k]!
    const step = size / curvature
    for (let k = 0; k < b.length; k++) {
      x[k]! += step * direction[k]!
      left[k]! -= step * image[k]!
    }
    const before = size
    size = square(left)
    for (let k = 0; k < b.length; k++) direction[k] = left[k]! + (size / before) * direction[k]!
  }
  return x
}

function square(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return sum
}
