import { type Law, type Term, varianceOf } from './law.ts'

/** Powers of t² to which the logarithm of a characteristic function is followed where a term is small. */
export const orders = 8
/** A term is small at the frequency t when reach·t is at most this. */
export const small = 1 / 6
/** From this σ² on a discrete Gaussian is as good as Gaussian where |a·t| ≤ 1/2 (section 3 of the page). */
export const wide = 2
/** Σ over n > orders of p_n·x^2n ≤ remainder·(b·x)^18 for Laplace laws of scale b: -ln(1-0.9²)/0.9^18. */
const remainder = 11.1

/** One an octave of reach; what is smaller still is in the last. */
const buckets = 48
/** Per bucket: p_1 … p_8 and the remainder. */
export const width = orders + 1

/**
 * Terms in flat arrays, in units of the error's standard deviation, by buckets of their reach, those that reach
 * farthest first. What is kept per bucket k is `before` it, or of it and `all behind`.
 */
export interface Arrangement {
  readonly deviation: number
  /** 0 discrete Laplace, 1 continuous Laplace, 2 discrete Gaussian. */
  readonly kind: Uint8Array
  readonly coefficient: Float64Array
  /** Twice the variance 1/(2 sinh²(1/2b)), the continuous b², or σ². */
  readonly parameter: Float64Array
  readonly count: Float64Array
  /** No term of the bucket reaches farther. The bucket 0 holds those that are never small. */
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

/** What the terms of one law share. */
class Shared {
  kind = 0
  parameter = 0
  /** b for Laplace; a Gaussian is small where |a·t| ≤ 1/2, and one with σ² < 2 never. */
  reach = 0
  /** |d log φ/dx| ≤ 1/sinh(1/b) ≤ b for Laplace. Gauss: σ²x, and σx ≤ 9 as long as φ > e^-40. */
  slope = 0
  /** -log φ(x) = p_1·x² - p_2·x⁴ + p_3·x⁶ …, in units of the reach: p_n·x^2n = powers[n-1]·(reach·t)^2n. */
  powers: Float64Array = continuousPowers
  readonly #own = new Float64Array(width)

  set(law: Law, variance: number): void {
    if (law.kind === 'gaussian') {
      this.kind = 2
      this.parameter = law.variance
      this.reach = law.variance >= wide ? 2 * small : Number.POSITIVE_INFINITY
      this.slope = 9 * Math.sqrt(law.variance)
      this.powers = this.#own.fill(0)
      this.powers[0] = law.variance / 2 / (this.reach * this.reach)
    } else {
      this.reach = this.slope = law.scale
      const square = law.scale * law.scale
      if (law.kind === 'laplace') {
        this.kind = 0
        this.parameter = 2 * variance
        this.powers = discretePowers(variance, 1 / square, this.#own)
      } else {
        this.kind = 1
        this.parameter = square
        this.powers = continuousPowers
      }
    }
  }
}

/** p_n = b^2n/n. */
const continuousPowers = Float64Array.from({ length: width }, (_, n) => (n < orders ? 1 / (n + 1) : remainder))

/**
 * For the discrete Laplace law Σ p_n·X^n = -log(1 - Σ β_n·X^n) with β_n = variance/(2n)!, whence
 * n·p_n = n·β_n + Σ k·p_k·β_(n-k): nothing cancels.
 */
function discretePowers(variance: number, perSquare: number, powers: Float64Array): Float64Array {
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
  const variances = new Float64Array(n)
  let total = 0
  for (let i = 0; i < n; i++) {
    const { law, coefficient, count } = terms[i]!
    // The cells of one marginal share their law.
    const variance = i > 0 && law === terms[i - 1]!.law ? variances[i - 1]! : varianceOf(law)
    variances[i] = variance
    total += count * coefficient * coefficient * variance
  }
  const deviation = Math.sqrt(total)
  const bucketAt = new Uint8Array(n)
  const termsBefore = new Uint32Array(buckets + 1)
  const noisesBefore = new Float64Array(buckets + 1)
  const steepnessBefore = new Float64Array(buckets + 1)
  const sums = new Float64Array((buckets + 1) * width)
  const shared = new Shared()
  const [kinds, parameters] = [new Uint8Array(n), new Float64Array(n)]
  let farthest = 0
  let longestStep = 0
  for (let i = 0; i < n; i++) {
    const { law, coefficient, count } = terms[i]!
    if (i === 0 || law !== terms[i - 1]!.law) shared.set(law, variances[i]!)
    kinds[i] = shared.kind
    parameters[i] = shared.parameter
    const a = Math.abs(coefficient) / deviation
    const reach = a * shared.reach
    const bucket = bucketOf(reach)
    bucketAt[i] = bucket
    termsBefore[bucket + 1]!++
    noisesBefore[bucket + 1]! += count
    steepnessBefore[bucket + 1]! += count * a * shared.slope
    if (shared.kind !== 2 && reach > farthest) farthest = reach
    if (shared.kind !== 1 && a > longestStep) longestStep = a
    if (bucket > 0) addPowers(sums, bucket * width, shared.powers, count, reach * reach)
  }
  for (let k = 1; k <= buckets; k++) {
    termsBefore[k]! += termsBefore[k - 1]!
    noisesBefore[k]! += noisesBefore[k - 1]!
    steepnessBefore[k]! += steepnessBefore[k - 1]!
  }
  for (let j = (buckets - 1) * width - 1; j >= 0; j--) sums[j]! += sums[j + width]!
  const next = termsBefore.slice()
  const [kind, parameter] = [new Uint8Array(n), new Float64Array(n)]
  const [coefficient, count] = [new Float64Array(n), new Float64Array(n)]
  for (let i = 0; i < n; i++) {
    const place = next[bucketAt[i]!]!++
    kind[place] = kinds[i]!
    parameter[place] = parameters[i]!
    coefficient[place] = Math.abs(terms[i]!.coefficient) / deviation
    count[place] = terms[i]!.count
  }
  const perTerm = { kind, coefficient, parameter, count }
  const perBucket = { edge, termsBefore, noisesBefore, steepnessBefore, sums }
  return { deviation, ...perTerm, ...perBucket, farthest, longestStep }
}

/** Bucket k > 0 holds reaches below 2^(4-k), but not below half of that. */
const edge = Float64Array.from({ length: buckets + 1 }, (_, k) =>
  k === 0 ? Number.POSITIVE_INFINITY : k === buckets ? 0 : 2 ** (4 - k),
)
const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)
const high = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0

function bucketOf(reach: number): number {
  bits[0] = reach
  const exponent = (words[high]! >>> 20) - 1023
  return exponent > 2 ? 0 : Math.min(3 - exponent, buckets - 1)
}

function addPowers(sums: Float64Array, place: number, powers: Float64Array, count: number, square: number): void {
  let power = count
  for (let n = 0; n < width; n++) {
    power *= square
    sums[place + n]! += power * powers[n]!
  }
}
