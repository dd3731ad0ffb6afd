import { gaussianCharacteristic } from '../../numeric/index.ts'
import { type Term, varianceOf } from './law.ts'

/** Powers of t² to which the logarithm of a characteristic function is followed where a term is small. */
export const orders = 8
/** A term is small at the frequency t when reach·t is at most this. */
export const small = 1 / 6
/** From this σ² on a discrete Gaussian is as good as Gaussian where |a·t| ≤ 1/2 (section 3 of the page). */
const wide = 2
/** Σ over n > orders of p_n·x^2n ≤ remainder·(b·x)^18 for Laplace laws of scale b: -ln(1-0.9²)/0.9^18. */
const remainder = 11.1

/** One an octave of reach; what is smaller still is in the last. */
const buckets = 48
/** Per bucket: p_1 … p_8 and the remainder. */
export const width = orders + 1

/**
 * Terms in flat arrays, in units of the error's standard deviation, and their order by buckets of their reach, those
 * that reach farthest first.
 */
export interface Arrangement {
  /** Of the error, in the data's units squared, and its root. */
  readonly variance: number
  readonly deviation: number
  /** 0 discrete Laplace, 1 continuous Laplace, 2 discrete Gaussian. */
  readonly kind: Uint8Array
  readonly coefficient: Float64Array
  /** Twice the variance 1/(2 sinh²(1/2b)), the continuous b², or σ². */
  readonly parameter: Float64Array
  readonly count: Float64Array
  /** Places of the terms, bucket by bucket. */
  readonly order: Uint32Array
  /** No term of the bucket reaches farther. The bucket 0 holds those, 2,048 noises at most, that always come one by one. */
  readonly edge: Float64Array
  /** Terms before the bucket, the noises in them, and a bound of |d log φ/dt| of their product while that is not nothing. */
  readonly termsBefore: Uint32Array
  readonly noisesBefore: Float64Array
  readonly steepnessBefore: Float64Array
  /** Power sums of the bucket and all behind it. */
  readonly sums: Float64Array
  /** Moments of every Laplace term exist below 1/this. */
  readonly farthest: number
  /** The largest coefficient of a discrete law; 0 if there is none. */
  readonly longestStep: number
}

/** -log φ(x) of a discrete Gaussian. */
export const logInverseGaussian = (sigma2: number, x: number): number =>
  sigma2 >= wide && x <= 0.5 ? (sigma2 * x * x) / 2 : -Math.log(gaussianCharacteristic(sigma2, x))

/** |d log φ/dx| ≤ 1/sinh(1/b) ≤ b for Laplace. Gauss: σ²x, and σx ≤ 9 as long as φ > e^-40. */
const slopeOf = (kind: number, parameter: number, reach: number) => (kind === 2 ? 9 * Math.sqrt(parameter) : reach)

/**
 * -log φ(x) = p_1·x² - p_2·x⁴ + p_3·x⁶ … with p_n ≥ 0: here in units of the reach, and the remainder behind them. For a
 * Gaussian there is p_1 alone.
 */
function powersOf(kind: number, parameter: number, reach: number): Float64Array {
  if (kind === 1) return continuousPowers
  if (kind === 0) return discretePowers(parameter / 2, 1 / (reach * reach))
  powers.fill(0)
  powers[0] = parameter / 2 / (reach * reach)
  return powers
}
const powers = new Float64Array(width)

/** p_n = b^2n/n. */
const continuousPowers = Float64Array.from({ length: width }, (_, n) => (n < orders ? 1 / (n + 1) : remainder))

/**
 * For the discrete Laplace law Σ p_n·X^n = -log(1 - Σ β_n·X^n) with β_n = variance/(2n)!, whence
 * n·p_n = n·β_n + Σ k·p_k·β_(n-k): nothing cancels.
 */
function discretePowers(variance: number, perSquare: number): Float64Array {
  beta[1] = (variance * perSquare) / 2
  for (let n = 2; n <= orders; n++) beta[n] = beta[n - 1]! * perSquare * steps[n]!
  for (let n = 1; n <= orders; n++) {
    let total = n * beta[n]!
    for (let k = 1; k < n; k++) total += k * powers[k - 1]! * beta[n - k]!
    powers[n - 1] = total * continuousPowers[n - 1]!
  }
  powers[orders] = remainder
  return powers
}
const beta = new Float64Array(orders + 1)
const steps = Float64Array.from({ length: orders + 1 }, (_, n) => 1 / (2 * n * (2 * n - 1)))

export function arrange(terms: readonly Term[]): Arrangement {
  const n = terms.length
  // Every object is looked at once: a hundred thousand of them are slow to come by.
  const kind = new Uint8Array(n)
  const columns = new Float64Array(4 * n)
  const coefficient = columns.subarray(0, n)
  const parameter = columns.subarray(n, 2 * n)
  const reaches = columns.subarray(2 * n, 3 * n)
  const count = columns.subarray(3 * n)
  let variance = 0
  for (let i = 0, own = 0; i < n; i++) {
    const term = terms[i]!
    const { law } = term
    // The cells of one marginal share their law.
    if (i > 0 && law === terms[i - 1]!.law) {
      kind[i] = kind[i - 1]!
      parameter[i] = parameter[i - 1]!
      reaches[i] = reaches[i - 1]!
    } else if (law.kind === 'gaussian') {
      own = varianceOf(law)
      kind[i] = 2
      parameter[i] = law.variance
      // Small where |a·t| ≤ 1/2; with σ² < 2 never.
      reaches[i] = law.variance >= wide ? 2 * small : Number.POSITIVE_INFINITY
    } else {
      own = varianceOf(law)
      kind[i] = law.kind === 'laplace' ? 0 : 1
      parameter[i] = law.kind === 'laplace' ? 2 * own : own / 2
      reaches[i] = law.scale
    }
    coefficient[i] = Math.abs(term.coefficient)
    count[i] = term.count
    variance += term.count * term.coefficient * term.coefficient * own
  }
  const deviation = Math.sqrt(variance)
  const bucketAt = new Uint8Array(n)
  const termsBefore = new Uint32Array(buckets + 1)
  const noisesBefore = new Float64Array(buckets + 1)
  const steepnessBefore = new Float64Array(buckets + 1)
  const sums = new Float64Array((buckets + 1) * width)
  let farthest = 0
  let longestStep = 0
  let own: Float64Array | undefined
  let slope = 0
  for (let i = 0; i < n; i++) {
    if (i === 0 || parameter[i] !== parameter[i - 1] || kind[i] !== kind[i - 1]) {
      own = undefined
      slope = slopeOf(kind[i]!, parameter[i]!, reaches[i]!)
    }
    const a = coefficient[i]! / deviation
    coefficient[i] = a
    const reach = a * reaches[i]!
    const bucket = bucketOf(reach)
    bucketAt[i] = bucket
    termsBefore[bucket + 1]!++
    noisesBefore[bucket + 1]! += count[i]!
    steepnessBefore[bucket + 1]! += count[i]! * a * slope
    if (kind[i] !== 2 && reach > farthest) farthest = reach
    if (kind[i] !== 1 && a > longestStep) longestStep = a
    if (bucket === 0) continue
    own ??= powersOf(kind[i]!, parameter[i]!, reaches[i]!)
    addPowers(sums, bucket * width, own, count[i]!, reach * reach)
  }
  for (let k = 1; k <= buckets; k++) {
    termsBefore[k]! += termsBefore[k - 1]!
    noisesBefore[k]! += noisesBefore[k - 1]!
    steepnessBefore[k]! += steepnessBefore[k - 1]!
  }
  for (let j = (buckets - 1) * width - 1; j >= 0; j--) sums[j]! += sums[j + width]!
  const order = new Uint32Array(n)
  const next = termsBefore.slice()
  for (let i = 0; i < n; i++) order[next[bucketAt[i]!]!++] = i
  const perTerm = { kind, coefficient, parameter, count, order }
  const perBucket = { edge, termsBefore, noisesBefore, steepnessBefore, sums }
  return { variance, deviation, ...perTerm, ...perBucket, farthest, longestStep }
}

/** Bucket k > 0 holds reaches below 2^(-5-k), but not below half of that. */
const edge = Float64Array.from({ length: buckets + 1 }, (_, k) =>
  k === 0 ? Number.POSITIVE_INFINITY : k === buckets ? 0 : 2 ** (-5 - k),
)
const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)
const high = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0

function bucketOf(reach: number): number {
  bits[0] = reach
  const exponent = (words[high]! >>> 20) - 1023
  return exponent > -7 ? 0 : Math.min(-6 - exponent, buckets - 1)
}

function addPowers(sums: Float64Array, place: number, powers: Float64Array, count: number, square: number): void {
  let power = count
  for (let n = 0; n < width; n++) {
    power *= square
    sums[place + n]! += power * powers[n]!
  }
}
