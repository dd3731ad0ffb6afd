import { type Axis, addToSlices, axesOf, scaleSlices, sumsAlong } from './axes.ts'
import { newtonStep } from './newton.ts'
import { independent } from './shrink.ts'
import { thresholdOf } from './simplex.ts'

/** When to stop: sums are off by no more than this, all together, or so many rounds are over. */
interface Until {
  readonly gap: number
  readonly rounds: number
}

/**
 * Moves a table to one that is nowhere negative and adds up, along each axis, to these one-way tables, which have one
 * total. The nearest such table in the sum of squares is max(0, table + one number for every slice), and these numbers
 * minimise a convex function: a round sets those of one axis after the other, and between rounds a Newton step moves all
 * of them. What is still wrong at the end is put right. docs/algorithms/marginals-afterwards.md
 */
export function projectOntoSums(
  table: Float64Array,
  sums: readonly Float64Array[],
  { gap, rounds }: Until,
): Float64Array {
  const axes = axesOf(sums.map(({ length }) => length))
  const z = table.slice()
  for (let round = 0; ; ) {
    for (const [i, axis] of axes.entries()) raiseSlices(z, axis, sums[i]!)
    if (++round >= rounds) break
    const gaps = gapsOf(z, axes, sums)
    if (gaps.reduce((sum, v) => sum + Math.abs(v), 0) <= gap) break
    newtonStep(z, axes, sums, gaps)
  }
  for (let i = 0; i < z.length; i++) if (!(z[i]! > 0)) z[i] = 0
  repair(z, axes, sums)
  return z
}

/** By how much the slices' sums are too large, axis after axis. */
const gapsOf = (z: Float64Array, axes: readonly Axis[], sums: readonly Float64Array[]): Float64Array =>
  Float64Array.from(axes.flatMap((axis, i) => [...sumsAlong(z, axis).map((v, code) => v - sums[i]![code]!)]))

/** Moves every slice across an axis, by one number for all of its cells, so that what is positive adds up to its sum. */
function raiseSlices(z: Float64Array, axis: Axis, sums: Float64Array): void {
  const { size, inner } = axis
  const slice = new Float64Array(z.length / size)
  const added = sums.map((wanted, code) => {
    if (!(wanted > 0)) return Number.NEGATIVE_INFINITY
    let at = 0
    for (let start = code * inner; start < z.length; start += size * inner)
      for (let i = start; i < start + inner; i++) slice[at++] = z[i]!
    const [largest, threshold] = thresholdOf(slice, wanted)
    return -largest - threshold
  })
  addToSlices(z, axis, added)
}

/**
 * Makes sums right: slices that are too large are scaled down, and what is then missing is filled up with the
 * independent table of what each axis lacks (Altschuler, Weed and Rigollet 2017, Algorithm 2).
 */
function repair(x: Float64Array, axes: readonly Axis[], sums: readonly Float64Array[]): void {
  for (const [i, axis] of axes.entries())
    scaleSlices(
      x,
      axis,
      sumsAlong(x, axis).map((v, code) => (v > sums[i]![code]! ? sums[i]![code]! / v : 1)),
    )
  const missing = axes.map((axis, i) => sumsAlong(x, axis).map((v, code) => Math.max(0, sums[i]![code]! - v)))
  const total = missing[0]!.reduce((a, b) => a + b, 0)
  const filling = independent(missing, total)
  for (let i = 0; i < x.length; i++) x[i]! += filling[i]!
}
