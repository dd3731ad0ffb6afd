import { dot } from '../../../numeric/index.ts'
import { type Axis, addToSlices } from './axes.ts'

/** Slices without a positive cell have no curvature: this keeps their steps finite, and is little beside a cell's 1. */
const ridge = 1e-3
/** The system is solved as far as the step is worth it: the next one starts elsewhere. */
const [accuracy, mostSteps] = [0.1, 30]
const mostHalvings = 6
/** Armijo's share of the fall that the slope promises. */
const sufficient = 1e-4

/**
 * One Newton step for the numbers u, one for each slice, that minimise ½ Σ max(0, z)² - Σ u·sum, where z is the table plus
 * its slices' numbers. The gradient is by how much sums are too large (`gaps`, axis after axis), and the Hessian counts the
 * positive cells that two slices share. The step is halved until the function falls, or not taken at all.
 */
export function newtonStep(
  z: Float64Array,
  axes: readonly Axis[],
  sums: readonly Float64Array[],
  gaps: Float64Array,
): void {
  const step = solve(slicesOfPositive(z, axes), axes.length, gaps)
  const change = new Float64Array(z.length)
  let [offset, worth, slope] = [0, 0, 0]
  for (const [i, axis] of axes.entries()) {
    const own = step.subarray(offset, offset + axis.size)
    addToSlices(change, axis, own)
    for (const [code, v] of own.entries()) {
      worth += v * sums[i]![code]!
      slope += v * gaps[offset + code]!
    }
    offset += axis.size
  }
  let before = 0
  for (const v of z) if (v > 0) before += (v * v) / 2
  for (let [length, halvings] = [1, 0]; halvings <= mostHalvings; halvings++, length /= 2) {
    let after = -length * worth
    for (let i = 0; i < z.length; i++) {
      const v = z[i]! + length * change[i]!
      if (v > 0) after += (v * v) / 2
    }
    if (after > before + sufficient * length * slope) continue
    for (let i = 0; i < z.length; i++) z[i]! += length * change[i]!
    return
  }
}

/** The slices, one per axis and numbered on from axis to axis, of every positive cell. */
function slicesOfPositive(z: Float64Array, axes: readonly Axis[]): Int32Array {
  let count = 0
  for (const v of z) if (v > 0) count++
  const slices = new Int32Array(count * axes.length)
  let at = 0
  for (let cell = 0; cell < z.length; cell++) {
    if (!(z[cell]! > 0)) continue
    let offset = 0
    for (const { size, inner } of axes) {
      slices[at++] = offset + (Math.floor(cell / inner) % size)
      offset += size
    }
  }
  return slices
}

/** Minus the Hessian's inverse times the gaps, by conjugate gradients over the positive cells. */
function solve(slices: Int32Array, axes: number, gaps: Float64Array): Float64Array {
  const diagonal = new Float64Array(gaps.length).fill(ridge)
  for (const slice of slices) diagonal[slice]!++
  const times = (p: Float64Array): Float64Array => {
    const out = p.map((v) => ridge * v)
    for (let at = 0; at < slices.length; at += axes) {
      let sum = 0
      for (let i = at; i < at + axes; i++) sum += p[slices[i]!]!
      for (let i = at; i < at + axes; i++) out[slices[i]!]! += sum
    }
    return out
  }
  const x = new Float64Array(gaps.length)
  const residual = gaps.map((v) => -v)
  let preconditioned = residual.map((v, i) => v / diagonal[i]!)
  let p = preconditioned.slice()
  let size = dot(residual, preconditioned)
  const enough = accuracy ** 2 * size
  for (let step = 0; step < mostSteps && size > enough; step++) {
    const image = times(p)
    const length = size / dot(p, image)
    for (let i = 0; i < x.length; i++) {
      x[i]! += length * p[i]!
      residual[i]! -= length * image[i]!
    }
    preconditioned = residual.map((v, i) => v / diagonal[i]!)
    const next = dot(residual, preconditioned)
    p = preconditioned.map((v, i) => v + (next / size) * p[i]!)
    size = next
  }
  return x
}
