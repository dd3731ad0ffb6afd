import { logDensity, proportionalScales } from '../../marginals/proportional.ts'
import { likelihood } from '../feature.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'
import { floatLaplace, uniforms } from './float.ts'

/** How many teenagers, and how many people under 65, among the five of iReduct's Example 1. */
type Answers = readonly [number, number]

/** Who is replaced may count in both queries before and in neither after. */
const sensitivity = (scales: readonly number[]) => scales.reduce((sum, scale) => sum + 1 / scale, 0)
const scalesOf = (exact: Answers) => proportionalScales(exact, { floor: 1, epsilon: 1, sensitivity })

/** ln of the ratio of the densities at an output, between two answers. */
export const proportionalLoss = (a: Answers, b: Answers, output: Answers): number =>
  logDensity(a, scalesOf(a), output) - logDensity(b, scalesOf(b), output)

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
    const scales = scalesOf(exact)
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
