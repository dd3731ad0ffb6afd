import { addTimes } from '../../../numeric/index.ts'

/** A convex function on a box. */
export interface BoxProblem {
  readonly low: Float64Array
  readonly high: Float64Array
  /** About the curvature along each coordinate: steps are measured in it. */
  readonly curvatures: Float64Array
  /** Its value; writes its slopes. */
  at(point: Float64Array, slopes: Float64Array): number
}

interface Pair {
  readonly s: Float64Array
  readonly y: Float64Array
  readonly rho: number
}

const memory = 12
/** A step must bring this share of what the slope promises. */
const armijo = 1e-4
const mostHalvings = 30

/**
 * Minimises by a quasi-Newton method (L-BFGS) on the coordinates that are free: not held at a bound by the slope. A step is
 * projected into the box and halved until the value falls. `look` sees every point and ends the search with true.
 */
export function minimizeInBox(
  problem: BoxProblem,
  start: Float64Array,
  look: (point: Float64Array, slopes: Float64Array, value: number, step: number) => boolean,
  mostSteps: number,
): Float64Array {
  let point = start.slice()
  let slopes = new Float64Array(point.length)
  let value = problem.at(point, slopes)
  const pairs: Pair[] = []
  for (let step = 0; step < mostSteps && !look(point, slopes, value, step); step++) {
    const isFree = (i: number) => (slopes[i]! > 0 ? point[i]! > problem.low[i]! : point[i]! < problem.high[i]!)
    const next =
      searched(problem, point, value, slopes, direction(problem, slopes, pairs, isFree)) ??
      searched(problem, point, value, slopes, direction(problem, slopes, pairs.splice(0) && [], isFree))
    if (!next) break
    remember(pairs, point, next.point, slopes, next.slopes)
    ;({ point, slopes, value } = next)
  }
  return point
}

/** Two loops over the remembered pairs; plain scaled descent where there are none. */
function direction(
  { curvatures }: BoxProblem,
  slopes: Float64Array,
  pairs: readonly Pair[],
  isFree: (i: number) => boolean,
): Float64Array {
  const d = slopes.map((slope, i) => (isFree(i) ? -slope : 0))
  const parts = pairs.map(() => 0)
  for (let k = pairs.length - 1; k >= 0; k--) {
    parts[k] = pairs[k]!.rho * dot(pairs[k]!.s, d)
    addTimes(d, pairs[k]!.y, -parts[k]!)
  }
  const last = pairs.at(-1)
  const size = last ? 1 / (last.rho * last.y.reduce((sum, y, i) => sum + (y * y) / curvatures[i]!, 0)) : 1
  for (let i = 0; i < d.length; i++) d[i]! *= size / curvatures[i]!
  for (let k = 0; k < pairs.length; k++) addTimes(d, pairs[k]!.s, parts[k]! - pairs[k]!.rho * dot(pairs[k]!.y, d))
  for (let i = 0; i < d.length; i++) if (!isFree(i)) d[i] = 0
  return d
}

/** Undefined where no step along the direction is any better. */
function searched(
  problem: BoxProblem,
  point: Float64Array,
  value: number,
  slopes: Float64Array,
  along: Float64Array,
): { point: Float64Array<ArrayBuffer>; slopes: Float64Array<ArrayBuffer>; value: number } | undefined {
  const nextSlopes = new Float64Array(point.length)
  for (let halving = 0, size = 1; halving < mostHalvings; halving++, size /= 2) {
    const next = point.map((x, i) => Math.max(problem.low[i]!, Math.min(problem.high[i]!, x + size * along[i]!)))
    const promised = next.reduce((sum, x, i) => sum + (x - point[i]!) * slopes[i]!, 0)
    if (promised >= 0) return undefined
    const nextValue = problem.at(next, nextSlopes)
    if (nextValue <= value + armijo * promised) return { point: next, slopes: nextSlopes, value: nextValue }
  }
  return undefined
}

function remember(
  pairs: Pair[],
  from: Float64Array,
  to: Float64Array,
  before: Float64Array,
  after: Float64Array,
): void {
  const s = to.map((x, i) => x - from[i]!)
  const y = after.map((x, i) => x - before[i]!)
  const product = dot(s, y)
  // Curvature too small to be told from rounding says nothing about the next step.
  if (!(product > 1e-14 * Math.sqrt(dot(s, s) * dot(y, y)))) return
  pairs.push({ s, y, rho: 1 / product })
  if (pairs.length > memory) pairs.shift()
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
