import { rational } from '../../../numeric/index.ts'
import { seal } from '../../../trusted/exact/seal.ts'
import { laplace, refine } from '../../../trusted/mechanism/index.ts'
import { likelihood } from '../feature.ts'
import { type Mechanism, type Output, pairsOf } from '../mechanism.ts'

/** b and b'. */
const [parent, child] = [2, 1]

/** Which side of the exact answers 0 and 1 each of the three lies on. */
const sides = (output: Output): string => Array.from(output as readonly number[], (v) => (v <= 0 ? '-' : '+')).join('')

export const twiceRefinedControl: Mechanism = {
  name: 'refined-twice-from-one-parent',
  kind: 'control',
  about: 'two children of one measurement: together with it they are not one answer and its noise',
  // Each child charged as if it were the only one: 1/b + 2(1/b' - 1/b).
  claim: { epsilon: 2 / child - 1 / parent, delta: 0 },
  pairs: pairsOf([['exact answers 0 and 1', 0, 1]], (answer: number, bits) => {
    const exact = seal(Float64Array.of(answer))
    const released = laplace(exact, rational(parent), bits)
    const refined = () => refine({ exact, released, from: rational(parent), to: rational(child) }, bits)
    return [released[0]!, refined()[0]!, refined()[0]!]
  }),
  features: [likelihood('likelihood ratio of the sides', sides)],
  // With Pr(y | y1) free of the data, the joint law is Pr(y1) Pr(y2) Pr(y | y1) Pr(y | y2)/Pr(y): the parent divides.
  exact: () => 2 / child + 1 / parent,
}
