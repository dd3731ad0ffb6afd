import { standardNormal } from '../../../../numeric/index.ts'
import { drawnKind } from './mixture.ts'
import { ends, kinds, likelihoods, logWidth, multiples, type Noisy } from './prior.ts'
import { varianceAt } from './strays.ts'

type Random = () => number

/** Noise does not hide counts of so many times its scale. */
const visible = 6
/** A gamma law of this shape and more is near enough to a normal one. */
const nearlyNormal = 8

/** A plausible true table: every hidden count is drawn from its posterior, given the shares of the kinds. */
export function plausible(noisy: Noisy, shares: Float64Array, random: Random): Float64Array {
  const chances = new Float64Array(kinds)
  return noisy.values.map((y, cell) => {
    if (y >= visible * noisy.scale) return y
    likelihoods(noisy, cell, chances)
    for (let k = 0; k < kinds; k++) chances[k]! *= shares[k]!
    return noisy.expected[cell]! * drawn(chances, random)
  })
}

/** The same where true counts stray from what is expected by a gamma law, so far as `strays` has it. */
export function straying(noisy: Noisy, far: number, random: Random): Float64Array {
  const { values, expected, scale } = noisy
  const mean = expected.reduce((a, b) => a + b, 0) / values.length
  const noise = 2 * scale * scale
  const chances = new Float64Array(kinds)
  return values.map((y, cell) => {
    if (y >= visible * scale) return y
    const m = expected[cell]!
    if (!(m > 0)) return 0
    const variance = varianceAt(m, mean, far)
    const shape = (m * m) / variance
    if (shape > nearlyNormal) {
      const part = variance / (variance + noise)
      return Math.abs(m + part * (y - m) + Math.sqrt(part * noise) * standardNormal(random))
    }
    likelihoods(noisy, cell, chances)
    // The density of the multiple's logarithm, but for what is the same for all; the first kind has all that is below the next.
    chances[0]! *= Math.exp(shape * Math.log(ends(1)[0])) / shape
    for (let k = 1; k < kinds; k++)
      chances[k]! *= Math.exp(shape * (Math.log(multiples[k]!) - multiples[k]!)) * logWidth
    return m * drawn(chances, random)
  })
}

/** A multiple of one of the kinds. */
function drawn(chances: Float64Array, random: Random): number {
  const [low, high] = ends(drawnKind(chances, random))
  return low + random() * (high - low)
}
