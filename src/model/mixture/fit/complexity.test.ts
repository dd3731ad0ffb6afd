import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { type Partition, singletons } from '../partition.ts'
import { Complexity } from './complexity.ts'
import { Components } from './components.ts'
import { MixtureFit } from './fit.ts'
import { Panels } from './panels.ts'
import type { MixtureAttribute } from './problem.ts'

const pairs: Partition = { groupOf: Int32Array.of(0, 0, 1, 2, 2, 2), count: 3 }
/** An order of all codes, of all but the last, over atoms of several codes, and none. */
const attributes: MixtureAttribute[] = [
  { atoms: singletons(4), counts: new Float64Array(4).fill(5), ordered: 4 },
  { atoms: singletons(5), counts: new Float64Array(5).fill(4), ordered: 4 },
  { atoms: pairs, counts: new Float64Array(6).fill(3), ordered: 6 },
  { atoms: singletons(3), counts: new Float64Array(3).fill(7) },
]

function opened(random: () => number): Components {
  const panels = new Panels(8, Components.rows(15), 0)
  const components = new Components(attributes, panels)
  components.start(attributes, 1, random)
  for (let k = 0; k < 8; k++) components.weightLogits[k] = random()
  components.update()
  return components
}

const softmax = (logits: readonly number[]) => {
  const exps = logits.map(Math.exp)
  const sum = exps.reduce((a, b) => a + b)
  return exps.map((value) => value / sum)
}

/** The two parts from their definitions, in doubles; the weights of the second are given. */
function slowParts({ logits, weightLogits, offsets, count }: Components, fixed: readonly number[]) {
  const weights = softmax([...weightLogits])
  let [divergence, roughness] = [0, 0]
  for (const [a, { atoms, ordered = 0 }] of attributes.entries()) {
    const thetas = weights.map((_, k) =>
      softmax(Array.from({ length: atoms.count }, (_, v) => logits[(offsets[a]! + v) * count + k]!)),
    )
    const widths = Array.from({ length: atoms.count }, (_, v) => atoms.groupOf.filter((atom) => atom === v).length)
    for (const [k, theta] of thetas.entries()) {
      for (const [v, share] of theta.entries()) {
        const mean = thetas.reduce((sum, other, i) => sum + weights[i]! * other[v]!, 0)
        divergence += weights[k]! * share * Math.log(share / mean)
      }
      for (let code = 1; code < ordered; code++) {
        const [x, y] = [atoms.groupOf[code - 1]!, atoms.groupOf[code]!]
        if (x === y) continue
        const difference = Math.log(theta[y]! / widths[y]!) - Math.log(theta[x]! / widths[x]!)
        const distance = (widths[x]! + widths[y]!) / 2
        roughness += ((fixed[k]! / distance) * 0.5 ** 2 * Math.log(1 + (difference / 0.5) ** 2)) / 2
      }
    }
  }
  return { divergence, roughness }
}

test('derivatives are those of the definition', () => {
  const { uniform } = seededBits(1)
  const components = opened(uniform)
  const [slopes, totals] = [new Float32Array(components.logits.length), new Float32Array(8)]
  const [charge, scale] = [30, 0.5]
  new Complexity(attributes, components).differentiate(components, charge, slopes, totals, scale)
  const fixed = [...components.weights]
  const value = () => {
    const { divergence, roughness } = slowParts(components, fixed)
    return scale * (charge * divergence + 16 * roughness)
  }
  const step = 2 ** -8
  for (const [parameters, derivatives] of [
    [components.logits, slopes],
    [components.weightLogits, totals],
  ] as const) {
    const largest = derivatives.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0)
    for (let i = 0; i < parameters.length; i++) {
      const at = parameters[i]!
      parameters[i] = at + step
      const [above, x1] = [value(), parameters[i]!]
      parameters[i] = at - step
      const [below, x0] = [value(), parameters[i]!]
      parameters[i] = at
      // The difference quotient is off by step²/6 times the third derivative, up to some twenty times the largest first one (jumps of ½).
      expect(Math.abs(derivatives[i]! - (above - below) / (x1 - x0)) / largest).toBeLessThan(3e-4)
    }
  }
})

test('what is charged the most stays nearly a product, and a lower charge follows the answers', () => {
  const { uniform } = seededBits(2)
  const axes = [0, 1].map((attribute) => ({ attribute, groups: singletons(2) }))
  const given = {
    records: 100,
    attributes: axes.map(() => ({ atoms: singletons(2), counts: Float64Array.of(50, 50) })),
    marginals: [{ axes, values: Float64Array.of(45, 5, 5, 45), variance: 25 }],
  }
  const path = new MixtureFit(given, { components: 8, random: uniform }).simplest(8)
  const agreeing = [
    ...path.map(({ components: { weights, probabilities, offsets } }) => {
      const [a, b] = [offsets[0]! * 8, offsets[1]! * 8]
      return 100 * weights.reduce((sum, weight, k) => sum + weight * probabilities[a + k]! * probabilities[b + k]!, 0)
    }),
  ]
  expect(agreeing).toHaveLength(6)
  expect(Math.abs(agreeing[0]! - 25)).toBeLessThan(1)
  expect(agreeing[5]).toBeGreaterThan(40)
})
