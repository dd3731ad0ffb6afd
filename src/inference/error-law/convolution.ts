import { convolve, convolveDirectly } from '../../numeric/index.ts'
import { arrange } from './arrangement.ts'
import { noNoise } from './closed-form.ts'
import { type ErrorLaw, errorLaw } from './error-law.ts'
import { gridLaw } from './grid.ts'
import { commonStep, offsets } from './lattice.ts'
import { isDiscrete, type Term, varianceOfError } from './law.ts'
import { massVector } from './mass-vector.ts'
import { tailReach } from './tail.ts'

/** What rounding to the grid may do beyond `blur`, and what all tails cut off may hold. */
const rare = 1e-10
/** A grid has at most this many points within the law's reach; where the step would need more, the blur grows. */
const most = 2 ** 16

interface ConvolutionOptions {
  /** Of the grid, in the data's units. By default the coefficients' common step, or one fine enough for `blur`. */
  readonly step?: number
  /** How far rounding to the grid may move the error. By default a 100th of the standard deviation. */
  readonly blur?: number
}

/**
 * The law of an error by convolving the noises' laws on a grid (the paper's Algorithm 2), shortest first. The step follows
 * from the data, and what rounding to it does is part of the promise: the m rounding errors are independent, of mean
 * zero and within ± step/2, so their sum exceeds step·√(m·ln(2/p)/2) with probability at most p (Hoeffding).
 */
export function errorLawByConvolution(terms: readonly Term[], options: ConvolutionOptions = {}): ErrorLaw {
  const variance = varianceOfError(terms)
  const present = terms.filter(({ coefficient, count }) => coefficient !== 0 && count > 0)
  if (present.length === 0 || variance === 0) return errorLaw(noNoise, variance)
  const m = noises(present)
  const a = arrange(present)
  const tail = tailReach(a, rare) * a.deviation
  const finest = (2 * tail) / most
  const shared = commonStep(present, finest)
  const step = options.step ?? shared ?? Math.max(finest, (options.blur ?? a.deviation / 100) / drift(m))
  const cut = Math.ceil(tail / step)
  const vectors = present.flatMap((term) => {
    const v = massVector(term, step, rare / m)
    return binaryPowers(v, term.count, cut)
  })
  const exact = step === shared || rounded(present, step) === 0
  const law = gridLaw({
    half: convolveAll(vectors, (u, v) => trimmed(convolve(u, v), cut)),
    step,
    exact,
    blur: exact ? offsets(present, step) : step * drift(rounded(present, step)),
    // Tails that are cut off only take away from what is vouched for. A transform of 2^17 points rounds by log2 N units
    // in the Euclidean norm, √N times that in a sum: 10^-12 a convolution.
    slack: rare + 1e-12 * m,
    far: (confidence) => tailReach(a, 1 - confidence) * a.deviation,
  })
  return errorLaw(law, variance)
}

/**
 * Algorithm 2 as the paper writes it, for comparison: unit bins, |v|_k = 2·|A_k|·S_k·ln(m/γ)/α_k + 1 made odd, all k ≤
 * m, the schoolbook convolution, shortest first. Its Theorem 4.5 counts the lost tails and not the rounding; here both are
 * in the promise.
 */
export function errorLawByPaperConvolution(terms: readonly Term[], gamma: number): ErrorLaw {
  const variance = varianceOfError(terms)
  const step = 1
  const m = noises(terms)
  const vectors = terms.flatMap((term) => {
    const v = massVector(term, step, gamma / m)
    return Array.from({ length: term.count }, () => v)
  })
  const a = arrange(terms)
  const far = (confidence: number) => tailReach(a, 1 - confidence) * a.deviation
  const half = convolveAll(vectors, convolveDirectly)
  return errorLaw(
    gridLaw({ half, step, exact: false, blur: step * drift(rounded(terms, step)), slack: rare, far }),
    variance,
  )
}

const noises = (terms: readonly Term[]): number => terms.reduce((sum, { count }) => sum + count, 0)

/** How many noises do not lie on the grid. */
const rounded = (terms: readonly Term[], step: number): number =>
  noises(terms.filter(({ law, coefficient }) => !isDiscrete(law) || !Number.isInteger(coefficient / step)))

/** How far m roundings can go, in steps, but with probability `rare`. */
const drift = (m: number): number => Math.min(m / 2, Math.sqrt((m * Math.log(2 / rare)) / 2))

/** v convolved with itself `count` times, as factors: v^1, v^2, v^4 … for the binary digits of the count. */
function binaryPowers(v: Float64Array, count: number, cut: number): Float64Array[] {
  const factors: Float64Array[] = []
  for (let power = v, rest = count; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) factors.push(power)
    if (rest > 1) power = trimmed(convolve(power, power), cut)
  }
  return factors
}

/** Without what lies farther than `cut` from the middle. */
function trimmed(v: Float64Array, cut: number): Float64Array {
  const excess = (v.length - 1) / 2 - cut
  return excess > 0 ? v.subarray(excess, v.length - excess) : v
}

/** The right half, the middle included, of all vectors convolved from the shortest to the longest. */
function convolveAll(
  vectors: readonly Float64Array[],
  by: (u: Float64Array, v: Float64Array) => Float64Array,
): Float64Array {
  const [first, ...others] = vectors.toSorted((u, v) => u.length - v.length)
  const all = others.reduce(by, first!)
  return all.slice((all.length - 1) / 2).map((p) => Math.max(0, p))
}
