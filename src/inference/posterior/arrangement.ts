import { type Law, type Term, varianceOf } from './law.ts'

/** Powers of t² to which the logarithm of a characteristic function is followed where a term is small. */
export const orders = 8
/** A term is small at the frequency t when reach·t is at most this. */
export const small = 1 / 6
/** From this σ² on a discrete Gaussian is as good as Gaussian where |a·t| ≤ 1/2 (section 3 of the page). */
export const wide = 2
/** Σ over n > orders of p_n·x^2n ≤ remainder·(b·x)^18 for Laplace laws of scale b: -ln(1-0.9²)/0.9^18. */
export const remainder = 11.1

/** One an octave of reach; what is smaller still is in the last. */
const buckets = 48
/** Per bucket: p_1 … p_8 and the remainder. */
export const width = orders + 1

/**
 * Terms in flat arrays, in units of the error's standard deviation, in the order of their share of the variance. Each
 * belongs to a bucket by its reach, the largest reaches first; `sums` are over a bucket and all behind it.
 */
export interface Arrangement {
  readonly deviation: number
  /** 0 discrete Laplace, 1 continuous Laplace, 2 discrete Gaussian. */
  readonly kind: Uint8Array
  readonly coefficient: Float64Array
  /** Twice the variance 1/(2 sinh²(1/2b)), the continuous b², or σ². */
  readonly parameter: Float64Array
  readonly count: Float64Array
  /** A bound of |d log φ/dt| while φ > e^-40. */
  readonly slope: Float64Array
  readonly bucket: Uint8Array
  /** No term of the bucket reaches farther. The bucket 0 holds those that are never small. */
  readonly edge: Float64Array
  readonly sums: Float64Array
  /** Moments of every Laplace term exist below 1/this. */
  readonly farthest: number
  readonly continuous: boolean
}

const kinds: { readonly [K in Law['kind']]: number } = { laplace: 0, 'continuous-laplace': 1, gaussian: 2 }

/** b for Laplace; a Gaussian is small where |a·t| ≤ 1/2, and one with σ² < 2 never. */
const reachOf = (law: Law): number =>
  law.kind === 'gaussian' ? (law.variance >= wide ? 2 * small : Number.POSITIVE_INFINITY) : law.scale

const parameterOf = (law: Law, variance: number): number =>
  law.kind === 'laplace' ? 2 * variance : law.kind === 'gaussian' ? law.variance : law.scale * law.scale

export function arrange(terms: readonly Term[]): Arrangement {
  const n = terms.length
  const variance = new Float64Array(n)
  const share = new Float64Array(n)
  let total = 0
  for (let i = 0; i < n; i++) {
    const { law, coefficient, count } = terms[i]!
    // The cells of one marginal share their law.
    variance[i] = i > 0 && law === terms[i - 1]!.law ? variance[i - 1]! : varianceOf(law)
    share[i] = count * coefficient * coefficient * variance[i]!
    total += share[i]!
  }
  const deviation = Math.sqrt(total)
  const order = byShare(share)
  const kind = new Uint8Array(n)
  const coefficient = new Float64Array(n)
  const parameter = new Float64Array(n)
  const count = new Float64Array(n)
  const slope = new Float64Array(n)
  const reach = new Float64Array(n)
  let longest = 0
  let farthest = 0
  let continuous = true
  for (let i = 0; i < n; i++) {
    const from = order[i]!
    const term = terms[from]!
    const a = Math.abs(term.coefficient) / deviation
    const { law } = term
    kind[i] = kinds[law.kind]
    coefficient[i] = a
    parameter[i] = parameterOf(law, variance[from]!)
    count[i] = term.count
    reach[i] = a * reachOf(law)
    // Laplace: |d log φ/dx| ≤ 1/sinh(1/b) ≤ b. Gauss: σ²x, and σx ≤ 9 as long as φ > e^-40.
    slope[i] = term.count * (kind[i] === 2 ? 9 * a * Math.sqrt(parameter[i]!) : reach[i]!)
    if (kind[i] !== 2) farthest = Math.max(farthest, reach[i]!)
    if (kind[i] !== 1) continuous = false
    if (Number.isFinite(reach[i]!)) longest = Math.max(longest, reach[i]!)
  }
  const edge = Float64Array.from({ length: buckets + 1 }, (_, k) =>
    k === 0 ? Number.POSITIVE_INFINITY : k === buckets ? 0 : longest * 2 ** (1 - k),
  )
  const bucket = new Uint8Array(n)
  for (let i = 0; i < n; i++) {
    const place = Number.isFinite(reach[i]!) ? 1 + Math.floor(Math.log2(longest / reach[i]!)) : 0
    bucket[i] = Math.min(place, buckets - 1)
  }
  const bare = { deviation, kind, coefficient, parameter, count, slope, bucket, edge, farthest, continuous }
  return { ...bare, sums: sumsOf(bare, reach) }
}

/** Indices by the share of the variance, largest first, to within a factor of √2: a counting sort by its logarithm. */
function byShare(share: Float64Array): Uint32Array {
  const places = 256
  const top = share.reduce((a, b) => Math.max(a, b), 0)
  const place = new Uint8Array(share.length)
  const next = new Uint32Array(places + 1)
  for (let i = 0; i < place.length; i++) {
    const p = Math.min(places - 1, Math.floor(2 * Math.log2(top / share[i]!)))
    place[i] = p
    next[p + 1]!++
  }
  for (let p = 0; p < places; p++) next[p + 1]! += next[p]!
  const order = new Uint32Array(share.length)
  for (let i = 0; i < place.length; i++) order[next[place[i]!]!++] = i
  return order
}

/**
 * -log φ(x) = p_1·x² - p_2·x⁴ + p_3·x⁶ … with p_n ≥ 0. For the discrete Laplace law Σ p_n·X^n = -log(1 - Σ β_n·X^n) with
 * β_n = variance/(2n)!, whence n·p_n = n·β_n + Σ k·p_k·β_(n-k): nothing cancels. For the continuous one p_n = b^2n/n.
 */
function sumsOf(a: Omit<Arrangement, 'sums'>, reach: Float64Array): Float64Array {
  const sums = new Float64Array((buckets + 1) * width)
  const beta = new Float64Array(orders + 1)
  const p = new Float64Array(orders + 1)
  for (let i = 0; i < reach.length; i++) {
    const square = a.coefficient[i]! * a.coefficient[i]!
    const place = a.bucket[i]! * width
    if (a.kind[i] === 2) {
      sums[place]! += (a.count[i]! * a.parameter[i]! * square) / 2
      continue
    }
    if (a.kind[i] === 1) {
      for (let n = 1, power = 1; n <= orders; n++) {
        power *= a.parameter[i]! * square
        sums[place + n - 1]! += (a.count[i]! * power) / n
      }
    } else {
      beta[1] = (a.parameter[i]! * square) / 4
      for (let n = 2; n <= orders; n++) beta[n] = (beta[n - 1]! * square) / (2 * n * (2 * n - 1))
      for (let n = 1; n <= orders; n++) {
        let total = n * beta[n]!
        for (let k = 1; k < n; k++) total += k * p[k]! * beta[n - k]!
        p[n] = total / n
        sums[place + n - 1]! += a.count[i]! * p[n]!
      }
    }
    const third = reach[i]! * reach[i]! * reach[i]!
    sums[place + orders]! += a.count[i]! * remainder * third * third * third * third * third * third
  }
  for (let k = buckets - 1; k >= 0; k--) {
    for (let j = 0; j < width; j++) sums[k * width + j]! += sums[(k + 1) * width + j]!
  }
  return sums
}
