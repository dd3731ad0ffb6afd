/** ln Γ(x) for x > 0: shifted up to where Stirling's series is good to 10^-15 of the result. */
function logGamma(x: number): number {
  let shift = 0
  let y = x
  while (y < 15) shift -= Math.log(y++)
  const z = 1 / (y * y)
  const series = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z / 1680))) / y
  return shift + (y - 0.5) * Math.log(y) - y + Math.log(2 * Math.PI) / 2 + series
}

/**
 * The regularised incomplete beta function I_x(a, b) for a, b ≥ 1: the probability that at least a of a+b-1 coins of
 * probability x show heads. Continued fraction by Lentz's method, on the side where it converges. Relative error below
 * 10^-7 for a+b up to 10^7: it is the cancellation between the three ln Γ.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** 1/(1 + d_1/(1 + d_2/(1 + …))), d as in Abramowitz and Stegun 26.5.8. It takes about √max(a, b) terms. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const away = (v: number) => (Math.abs(v) < tiny ? tiny : v)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < 1e6; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    result *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    result *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return result
}
