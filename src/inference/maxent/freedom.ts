import { addTimes, dot, sum } from '../../numeric/index.ts'
import type { Penalty } from './penalty.ts'

/** What a fit is like near its weights. */
interface FittedWeights {
  readonly w: Float64Array
  /** Which features were fitted to. */
  readonly isUsed: Uint8Array
  /** The covariance of the features, times a vector. */
  covariance(v: Float64Array): Float64Array
}

/** A weight that is so near to its bound would have come to it. */
const nearly = 0.99
/** Steps of the solver, and how small its residual is then beside the first. */
const [mostSteps, enough] = [15, 0.1]

/**
 * How much of the noise a fit follows, in numbers: twice that is what a fit's own distances are too small by, on average.
 *
 * The derivative of fitted means by targets is 0 for those at a bound, and H = C(C + R)⁻¹ for the others, with the covariance C of their features
 * and their ridges R. Its diagonal is told by signs z that are drawn: that of M is the mean of z·Mz. With R^½ on both sides M is symmetric, which keeps the
 * deviation of the trace below the root of twice the trace.
 *
 * For Gaussian noise the trace is the answer (Stein's identity). For Laplace noise x of scale b an answer counts (1 + |x|/b)/2 times, which is 1 on
 * average; but those inside their bounds have small noise. About what x is the residual says that would be there without the answer: |w|/β over 1 - H, in
 * units of b.
 */
export function freedom(fit: FittedWeights, { bounds, ridges }: Penalty, signs: Float64Array): number {
  const isFree = fit.w.map((x, i) => Number(fit.isUsed[i] !== 0 && Math.abs(x) < nearly * bounds[i]!))
  const z = signs.map((sign, i) => sign * isFree[i]! * Math.sqrt(ridges[i]!))
  const times = (v: Float64Array) => fit.covariance(v).map((x, i) => isFree[i]! * (x + ridges[i]! * v[i]!))
  const solved = solve(times, z)
  const followed = isFree.map((free, i) => free - z[i]! * solved[i]!)
  // 0 where all are met exactly.
  const left = Math.max(Number.MIN_VALUE, 1 - sum(followed) / Math.max(1, sum(isFree)))
  return followed.reduce((count, share, i) => {
    const noise = Number.isFinite(bounds[i]!) ? Math.min(1, Math.abs(fit.w[i]!) / bounds[i]! / left) : 1
    return count + (share * (1 + noise)) / 2
  }, 0)
}

/** By conjugate gradients, begun at 0. */
function solve(times: (v: Float64Array) => Float64Array, b: Float64Array): Float64Array {
  const [x, r, p] = [new Float64Array(b.length), b.slice(), b.slice()]
  const first = dot(b, b)
  let square = first
  for (let step = 0; step < mostSteps && square > enough ** 2 * first; step++) {
    const q = times(p)
    const size = square / dot(p, q)
    addTimes(x, p, size)
    addTimes(r, q, -size)
    const next = dot(r, r)
    for (let i = 0; i < x.length; i++) p[i] = r[i]! + (next / square) * p[i]!
    square = next
  }
  return x
}
