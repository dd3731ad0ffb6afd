/**
 * The discrete Gaussian law P(k) ∝ exp(-k²/2σ²) on the integers, in floating point: for intervals, prices and inference
 * over numbers that are already public. `sigma2` is the parameter σ² of the law, a little more than its variance where
 * σ is near 1 or below. Drawing from it is trusted/random's work, and exact.
 *
 * Every sum over the integers is also one over the frequencies (Poisson): Σ exp(-k²/2σ²)·cos(kt) = √(2πσ²)·Σ
 * exp(-σ²(t+2πj)²/2). From σ² = 1/2π on the second is the shorter one; at that point both fall like exp(-πk²), so a few
 * terms are all of it.
 */
const isNarrow = (sigma2: number) => sigma2 < 1 / (2 * Math.PI)

/** The terms beyond are below exp(-4·5·π) = 10^-27 of the sum, the characteristic function's at t = π included. */
const terms = [1, 2, 3, 4]

const sum = (of: (k: number) => number): number => terms.reduce((total, k) => total + of(k), 0)

/** Σ exp(-k²/2σ²) over all integers. */
function mass(sigma2: number): number {
  if (isNarrow(sigma2)) return 1 + 2 * sum((k) => Math.exp((-k * k) / (2 * sigma2)))
  return Math.sqrt(2 * Math.PI * sigma2) * (1 + 2 * sum((j) => Math.exp(-2 * (Math.PI * j) ** 2 * sigma2)))
}

export const gaussianPmf = (sigma2: number, k: number): number => Math.exp((-k * k) / (2 * sigma2)) / mass(sigma2)

/**
 * The law's own variance: below σ² by 2·10^-7 of it at σ = 1, by nothing that a double shows from σ = 1.5 on, by all of
 * it as σ goes to 0.
 */
export function gaussianVariance(sigma2: number): number {
  if (isNarrow(sigma2)) return (2 * sum((k) => k * k * Math.exp((-k * k) / (2 * sigma2)))) / mass(sigma2)
  // 2σ⁴ times the derivative of log mass by σ². The part taken off is at most half.
  const at = (j: number) => Math.exp(-2 * (Math.PI * j) ** 2 * sigma2)
  const curvature = (2 * sum((j) => (2 * Math.PI * j) ** 2 * at(j))) / (1 + 2 * sum(at))
  return sigma2 * (1 - sigma2 * curvature)
}

/** E cos(kt). */
export function gaussianCharacteristic(sigma2: number, t: number): number {
  if (isNarrow(sigma2)) {
    return (1 + 2 * sum((k) => Math.exp((-k * k) / (2 * sigma2)) * Math.cos(k * t))) / mass(sigma2)
  }
  // The law lies on the integers, so t counts modulo 2π; sine and cosine know that better than a division does.
  const near = Math.abs(Math.abs(t) <= Math.PI ? t : Math.atan2(Math.sin(t), Math.cos(t)))
  const image = (j: number) => Math.exp((-sigma2 * (near + 2 * Math.PI * j) ** 2) / 2)
  // From σ = 2 on all but the two nearest images are below exp(-8π²) = 10^-34 of these, and the mass is 1.
  if (sigma2 >= 4) return image(0) + image(-1)
  return (
    (image(0) + sum((j) => image(j) + image(-j))) / (1 + 2 * sum((j) => Math.exp(-2 * (Math.PI * j) ** 2 * sigma2)))
  )
}

/** Pr(|k| > w) for an integer w ≥ 0, with its leading digits right however small it is. */
export function gaussianTail(sigma2: number, w: number): number {
  const first = w + 1
  // Few terms matter: they fall like a Gaussian (9σ of them) and at least like exp(-first·j/σ²).
  const beyond = sigma2 < 1e4 || first > sigma2 / 10 ? sumFrom(sigma2, first) : integralFrom(sigma2, w + 0.5)
  return (2 * beyond) / mass(sigma2)
}

/** Σ exp(-k²/2σ²) over k ≥ first, term by term. */
function sumFrom(sigma2: number, first: number): number {
  let total = 1
  for (let j = 1, term = 1; term > total * 1e-18; j++) {
    term = Math.exp((-j * (2 * first + j)) / (2 * sigma2))
    total += term
  }
  return total * Math.exp((-first * first) / (2 * sigma2))
}

/**
 * The same sum for σ ≥ 100 and x = first - 1/2 ≤ σ²/10, by Euler and Maclaurin's formula at midpoints: the integral of
 * f from x on plus f'/24 - 7f'''/5760 + 31f⁽⁵⁾/967680 at x. With r = x/σ² ≤ 0.1 the next term is 8·10^-7·r⁸ of the
 * whole, below 10^-14.
 */
function integralFrom(sigma2: number, x: number): number {
  const r = x / sigma2
  const third = r * (3 / sigma2 - r * r)
  const fifth = -r * (15 / (sigma2 * sigma2) - (10 * r * r) / sigma2 + r ** 4)
  const ends = -r / 24 - (7 * third) / 5760 + (31 * fifth) / 967680
  return Math.exp((-x * x) / (2 * sigma2)) * (integralOverEnd(sigma2, x) + ends)
}

/** The integral of exp(-y²/2σ²) over y > x, divided by its integrand at x, which is where the digits would get lost. */
function integralOverEnd(sigma2: number, x: number): number {
  const scale = Math.sqrt(2 * sigma2)
  const z = x / scale
  return scale * (z < 1 ? smallMills(z) : largeMills(z))
}

/**
 * M(z) = exp(z²)·∫ exp(-y²) dy over y > z, for z < 1: √π/2·exp(z²) less Σ 2ⁿz^(2n+1)/(2n+1)!!, which is at most 0.85 of
 * it.
 */
function smallMills(z: number): number {
  let below = 0
  for (let n = 1, term = z; term > 1e-18; n++) {
    below += term
    term *= (2 * z * z) / (2 * n + 1)
  }
  return (Math.sqrt(Math.PI) / 2) * Math.exp(z * z) - below
}

/**
 * M(z) for z ≥ 1: it is (z/√π)·∫ exp(-y²)/(z²+y²) dy over y > 0, and the trapezoidal rule of step h is that integral
 * but for its pole at iz, whose residue is the last term, and for exp(-(π/h)²) = 10^-17 (Chiarella and Reichel 1968).
 * Beyond z = π/h the pole is out of reach.
 */
function largeMills(z: number): number {
  const h = 0.5
  let total = 1 / (2 * z * z)
  for (let n = 1; n <= 13; n++) total += Math.exp(-n * n * h * h) / (z * z + n * n * h * h)
  const pole = z < Math.PI / h ? (Math.sqrt(Math.PI) * Math.exp(z * z)) / Math.expm1((2 * Math.PI * z) / h) : 0
  return (z * h * total) / Math.sqrt(Math.PI) - pole
}

/** The smallest integer w ≥ 0 with Pr(|k| ≤ w) ≥ confidence; Infinity for certainty; a double beyond 2^53. */
export function gaussianHalfWidth(sigma2: number, confidence: number): number {
  const miss = 1 - confidence
  if (miss <= 0) return Number.POSITIVE_INFINITY
  // Pr(|k| ≥ w) ≤ 2·exp(-w²/2σ²), as for the continuous law (Canonne, Kamath, Steinke 2020): w is wide enough, -1 is
  // not.
  let wide = Math.ceil(Math.sqrt(2 * sigma2 * Math.log(2 / miss)))
  let narrow = -1
  for (;;) {
    const between = Math.floor((narrow + wide) / 2)
    if (between <= narrow || between >= wide) return wide
    if (gaussianTail(sigma2, between) <= miss) wide = between
    else narrow = between
  }
}
