// Chi-square test of integer draws against a law given by its distribution function.

/** ln Γ(x) for x > 0: shift up, then Stirling's series; relative error far below what a p-value needs. */
export function logGamma(x: number): number {
  let shift = 0
  while (x < 15) shift -= Math.log(x++)
  const y = 1 / (x * x)
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + (1 / 12 - y * (1 / 360 - y / 1260)) / x
}

/** Pr(χ² with k degrees of freedom > x): the regularised upper incomplete gamma function Q(k/2, x/2). */
export function chiSquareTail(x: number, degrees: number): number {
  const [a, z] = [degrees / 2, x / 2]
  if (z <= 0) return 1
  const front = Math.exp(a * Math.log(z) - z - logGamma(a))
  if (z < a + 1) {
    let term = 1 / a
    let total = term
    for (let n = 1; term > total * 1e-16; n++) total += term *= z / (a + n)
    return 1 - front * total
  }
  // Lentz's continued fraction.
  let b = z + 1 - a
  let c = 1e300
  let d = 1 / b
  let fraction = d
  for (let i = 1; i < 10_000; i++) {
    const an = -i * (i - a)
    b += 2
    d = 1 / (an * d + b)
    c = b + an / c
    fraction *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return front * fraction
}

/** The smallest integer k with cdf(k) ≥ q. */
function quantile(cdf: (k: number) => number, q: number): number {
  let step = 1
  while (cdf(step) < q || cdf(-step) >= q) step *= 2
  let [low, high] = [-step, step]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (middle === low || middle === high) break // neighbouring doubles
    if (cdf(middle) >= q) high = middle
    else low = middle
  }
  return high
}

/** Upper ends of up to `count` bins of about equal probability, none with an expected count below 20. */
function binEnds(cdf: (k: number) => number, count: number, draws: number): number[] {
  const ends: number[] = []
  let below = 0
  for (let i = 1; i < count; i++) {
    const end = quantile(cdf, i / count)
    const mass = cdf(end)
    if ((mass - below) * draws < 20 || (1 - mass) * draws < 20) continue
    ends.push(end)
    below = mass
  }
  return ends
}

/** The probability of a chi-square statistic at least as large if the draws follow the law. */
export function pValue(draws: ArrayLike<number | bigint>, cdf: (k: number) => number): number {
  const ends = binEnds(cdf, 60, draws.length)
  const counts = new Float64Array(ends.length + 1)
  for (let i = 0; i < draws.length; i++) {
    const value = Number(draws[i])
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (value <= ends[middle]!) high = middle
      else low = middle + 1
    }
    counts[low]!++
  }
  let statistic = 0
  for (let i = 0; i < counts.length; i++) {
    const mass = (i < ends.length ? cdf(ends[i]!) : 1) - (i > 0 ? cdf(ends[i - 1]!) : 0)
    const expected = mass * draws.length
    statistic += (counts[i]! - expected) ** 2 / expected
  }
  return chiSquareTail(statistic, counts.length - 1)
}

/** One test in a million that should accept does not. Seeds are fixed, so a passing test stays passing. */
export const falseAlarm = 1e-6

export const fits = (draws: ArrayLike<number | bigint>, cdf: (k: number) => number): boolean =>
  pValue(draws, cdf) > falseAlarm

/** Pr(K ≤ k) of the discrete Laplace law. */
export const laplaceCdf =
  (scale: number) =>
  (k: number): number => {
    const tail = (j: number) => Math.exp(-j / scale) / (1 + Math.exp(-1 / scale))
    const whole = Math.floor(k)
    return whole < 0 ? tail(-whole) : 1 - tail(whole + 1)
  }
