import { addTimes, dot } from '../../numeric/index.ts'

/** Enough for a direction that a line search judges. */
const accuracy = 0.01

/** A vector x = K·y, y, and how many products it took. */
interface Solution {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly iterations: number
}

/**
 * Solves (K⁻¹ + G)·x = b, about, by conjugate gradients preconditioned with K: symmetric positive definite matrices that are known
 * by their products, and K⁻¹ not at all. Stopped at any time, x leads downhill from 0 on the quadratic function that it minimises.
 */
export function conjugateGradient(
  timesK: (v: Float64Array) => Float64Array,
  timesG: (v: Float64Array) => Float64Array,
  b: Float64Array,
  maxIterations: number,
): Solution {
  const [x, y] = [new Float64Array(b.length), new Float64Array(b.length)]
  const left = b.slice()
  let image = timesK(left)
  // The direction p = K·q.
  const [p, q] = [image.slice(), left.slice()]
  let size = dot(left, image)
  const small = size * accuracy ** 2
  let iterations = 0
  for (; iterations < maxIterations && size > small; iterations++) {
    const curved = timesG(p)
    addTimes(curved, q, 1)
    const step = size / dot(p, curved)
    addTimes(x, p, step)
    addTimes(y, q, step)
    addTimes(left, curved, -step)
    image = timesK(left)
    const before = size
    size = dot(left, image)
    for (let k = 0; k < b.length; k++) {
      p[k] = image[k]! + (size / before) * p[k]!
      q[k] = left[k]! + (size / before) * q[k]!
    }
  }
  return { x, y, iterations }
}
