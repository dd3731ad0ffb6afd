import { type Arrangement, small, width } from './arrangement.ts'

/** Parts of the largest s worth trying at which the bound is taken. */
const parts = [0.99, 0.94, 0.87, 0.78, 0.67, 0.52]

/**
 * Some x, in deviations, with Pr(|error| ≥ x) ≤ probability (Chernoff): the least of (log 2/probability + log E
 * exp(s·error))/s over a few s. Every s gives a valid x, so none needs to be the best.
 */
export function tailReach(a: Arrangement, probability: number): number {
  const need = Math.log(2 / probability)
  // Of a normal law the best s is √(2·need), and no law's is larger.
  const most = Math.min(1 / a.farthest, Math.sqrt(2 * need))
  const moments = logMoments(
    a,
    Float64Array.from(parts, (part) => part * most),
  )
  return moments.reduce((least, moment, j) => Math.min(least, (need + moment) / (parts[j]! * most)), Infinity)
}

/**
 * Bounds of log E exp(s·error), 0 < s < 1/farthest: for small terms their power sums at t = is, where every sign is
 * plus. A discrete Gaussian's is at most that of the Gaussian (Canonne, Kamath, Steinke 2020).
 */
function logMoments(a: Arrangement, s: Float64Array): Float64Array {
  const n = s.length
  let bucket = 1
  while (a.edge[bucket]! * s[0]! > small) bucket++
  const moments = s.map((each) => {
    let total = 0
    for (let j = width - 1; j >= 0; j--) total = each * each * (a.sums[bucket * width + j]! + total)
    return total
  })
  const product = new Float64Array(n).fill(1)
  const terms = a.termsBefore[bucket]!
  for (let k = 0; k < terms; k++) {
    const i = a.order[k]!
    const [kind, coefficient, parameter, count] = [a.kind[i]!, a.coefficient[i]!, a.parameter[i]!, a.count[i]!]
    if (kind === 1 && count === 1) {
      const square = parameter * coefficient * coefficient
      for (let j = 0; j < n; j++) product[j]! *= 1 - square * s[j]! * s[j]!
      continue
    }
    for (let j = 0; j < n; j++) {
      const x = coefficient * s[j]!
      const q = parameter * (kind === 0 ? sinhSquared(x / 2) : x * x)
      if (kind === 2) moments[j]! += (count * q) / 2
      else if (count === 1) product[j]! *= 1 - q
      else moments[j]! -= count * Math.log1p(-q)
    }
  }
  for (let j = 0; j < n; j++) moments[j]! -= Math.log(product[j]!)
  return moments
}

/** Not below sinh² y: its series, y⁸/315 and all behind it being at most y⁶/300 up to 1. */
function sinhSquared(y: number): number {
  const x = y * y
  if (x > 1) return Math.sinh(y) ** 2
  return x * (1 + x * (1 / 3 + x * (2 / 45 + 1 / 300)))
}
