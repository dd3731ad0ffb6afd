import { likelihood } from '../feature.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'
import { floatLaplace, type Uniform, uniforms } from './float.ts'

/** λ and λ' of iReduct §4: an answer of scale `from` is replaced by one of scale `to`. */
interface Scales {
  readonly from: number
  readonly to: number
}

/** f of Eq. 6 with γ of Eq. 7, at y' given μ and y. It is no density: over y' it does not add up to 1. */
function f({ from, to }: Scales, mu: number, y: number, next: number): number {
  const c = Math.cosh(1 / to)
  const gamma =
    (2 * c * Math.exp(-Math.abs(y - next) / from) -
      Math.exp(-Math.abs(y - next - 1) / from) -
      Math.exp(-Math.abs(y - next + 1) / from)) /
    (4 * from * (c - 1))
  return (from / to) * Math.exp(Math.abs(y - mu) / from - Math.abs(next - mu) / to) * gamma
}

/** ξ and the integrals θ1, θ2, θ3 of f, for μ ≤ y: Eq. 8-10, Eq. 9 without the factor cosh(1/λ') that it has too many. */
function thetas({ from, to }: Scales, mu: number, y: number) {
  const [c, next] = [Math.cosh(1 / from), Math.cosh(1 / to)]
  const ratio = (from * (next - c)) / (2 * (next - 1))
  const xi = Math.min(mu, y - 1)
  const [sum, difference] = [1 / to + 1 / from, 1 / to - 1 / from]
  return {
    xi,
    one: (ratio / (to + from)) * Math.exp(sum * (xi - mu)),
    two: (ratio / (from - to)) * -Math.expm1(difference * (xi - y + 1)),
    three: (ratio / (to + from)) * Math.exp((mu - y - 1) / to - (mu - y + 1) / from),
  }
}

/** NoiseDown as printed in Fig. 3. What f lacks of a density goes to the middle, as line 13 says. */
function noiseDown(scales: Scales, mu: number, y: number, uniform: Uniform): number {
  if (mu > y) return -noiseDown(scales, -mu, -y, uniform)
  const { from, to } = scales
  const { xi, one, two, three } = thetas(scales, mu, y)
  const [sum, difference] = [1 / to + 1 / from, 1 / to - 1 / from]
  const u = uniform()
  if (u < one) return xi + Math.log(1 - uniform()) / sum
  if (u <= one + two) return xi - Math.log1p(uniform() * Math.expm1(-difference * (y - 1 - xi))) / difference
  if (u >= 1 - three) return y + 1 - Math.log(1 - uniform()) / sum
  // φ of Eq. 11.
  const c = Math.cosh(1 / to)
  const highest =
    ((c - Math.exp(-1 / to)) / (2 * to * (c - 1))) * Math.exp((y - mu) / from - Math.max(0, y - mu - 1) / to)
  for (;;) {
    const next = y - 1 + 2 * uniform()
    if (uniform() <= f(scales, mu, y, next) / highest) return next
  }
}

/** Where f turns inside the middle interval, and the middle's mass under f, by Simpson's rule between the turns. */
function middleMass(scales: Scales, mu: number, y: number): number {
  const turns = [y - 1, y, y + 1, ...(Math.abs(mu - y) < 1 ? [mu] : [])].sort((a, b) => a - b)
  const steps = 32
  let mass = 0
  for (const [i, from] of turns.slice(0, -1).entries()) {
    const h = (turns[i + 1]! - from) / steps
    for (let k = 0; k <= steps; k++) {
      const weight = k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2
      mass += ((weight * h) / 3) * f(scales, mu, y, from + k * h)
    }
  }
  return mass
}

/**
 * The density that Fig. 3 really draws y' from. Each interval gets what the lines above it have left of the unit interval: where the
 * θ's add up to more than 1, which they do for y far from μ, the last interval and the middle get less than f, or nothing.
 */
function drawnDensity(scales: Scales, mu: number, y: number): (next: number) => number {
  if (mu > y) {
    const mirrored = drawnDensity(scales, -mu, -y)
    return (next) => mirrored(-next)
  }
  const { one, two, three } = thetas(scales, mu, y)
  const left = Math.max(0, 1 - one - two)
  const last = Math.min(1, left / three)
  const middle = Math.max(0, left - three) / middleMass(scales, mu, y)
  return (next) => f(scales, mu, y, next) * (next <= y - 1 ? 1 : next >= y + 1 ? last : middle)
}

/**
 * The largest |ln| of the ratio of the joint densities of (y, y') between exact answers 0 and 1, over a grid of spacing 1/20 that
 * goes `reach` beyond them: a lower bound on the supremum, where the paper claims 1/λ'. Farther out it gets worse without bound.
 */
export function noiseDownLoss(scales: Scales, reach: number): number {
  const grid = Array.from({ length: 20 * (2 * reach + 1) + 1 }, (_, i) => i / 20 - reach)
  let worst = 0
  for (const y of grid) {
    const [zero, one] = [drawnDensity(scales, 0, y), drawnDensity(scales, 1, y)]
    const first = (Math.abs(y - 1) - Math.abs(y)) / scales.from
    for (const next of grid) {
      const [p, q] = [zero(next), one(next)]
      if (p > 0 || q > 0) worst = Math.max(worst, Math.abs(first + Math.log(p / q)))
    }
  }
  return worst
}

const scales: Scales = { from: 0.5, to: 0.25 }

/** y to an eighth (beyond ±2 together), whether y' came from the middle interval, and on which side of the exact answers it lies. */
function region(output: Output): string {
  const [y, next] = [Number(output[0]), Number(output[1])]
  const eighth = Math.max(-16, Math.min(16, Math.floor(8 * y)))
  return `${eighth} ${Math.abs(next - y) < 1} ${next < 0 ? 'below' : next > 1 ? 'above' : 'between'}`
}

export const noiseDownControl: Mechanism = {
  name: 'noise-down-as-published',
  kind: 'control',
  about: 'NoiseDown of Fig. 3: its factor γ belongs to the discrete law, its noise is continuous',
  claim: { epsilon: 1 / scales.to, delta: 0 },
  pairs: pairsOf([['exact answers 0 and 1', 0, 1]], (mu: number, bits) => {
    const uniform = uniforms(bits)
    const y = mu + floatLaplace(scales.from, uniform)
    return [y, noiseDown(scales, mu, y, uniform)]
  }),
  features: [likelihood('likelihood ratio of the regions', region)],
  exact: () => noiseDownLoss(scales, 1),
}
