import { likelihood } from '../feature.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'
import { floatLaplace, uniforms } from './float.ts'

/** How many teenagers, and how many people under 65, among the five of iReduct's Example 1. */
type Answers = readonly [number, number]

/**
 * The scales that Proportional (§3.1) takes: λ_i = c·max(q_i, δ) with δ = 1, and c so that the generalised sensitivity of replacing one
 * person, who may count in both queries before and in neither after, is ε = 1.
 */
function proportionalScales(exact: Answers): Answers {
  const [first, second] = [Math.max(exact[0], 1), Math.max(exact[1], 1)]
  const c = 1 / first + 1 / second
  return [c * first, c * second]
}

/** ln of the ratio of the densities at an output, between two answers. */
export function proportionalLoss(a: Answers, b: Answers, output: Answers): number {
  const logDensity = (exact: Answers) => {
    const scales = proportionalScales(exact)
    return exact.reduce((sum, q, i) => sum - Math.abs(output[i]! - q) / scales[i]! - Math.log(2 * scales[i]!), 0)
  }
  return logDensity(a) - logDensity(b)
}

const before: Answers = [2, 5]
const after: Answers = [1, 5]
const bin = (v: unknown) => Math.max(-40, Math.min(40, Math.floor(Number(v))))

export const proportionalControl: Mechanism = {
  name: 'proportional',
  kind: 'control',
  about: 'Proportional of iReduct §3.1: the scale of the noise depends on the exact answer',
  claim: { epsilon: 1, delta: 0 },
  pairs: pairsOf([['Example 1: a teenager turns 20', before, after]], (exact: Answers, bits) => {
    const uniform = uniforms(bits)
    const scales = proportionalScales(exact)
    return exact.map((q, i) => q + floatLaplace(scales[i]!, uniform))
  }),
  features: [
    likelihood(
      'likelihood ratios, to a unit',
      (output) => bin(output[0]),
      (output) => bin(output[1]),
    ),
  ],
  exact: () => proportionalLoss(before, after, [102, 5]),
}
