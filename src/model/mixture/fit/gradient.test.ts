import { expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { type Partition, refinement, singletons } from '../partition.ts'
import { Components } from './components.ts'
import { MixtureFit } from './fit.ts'
import { layoutOf } from './layout.ts'
import { Objective } from './objective.ts'
import { Panels } from './panels.ts'
import type { GroupedMarginal, MixtureProblem } from './problem.ts'

const groups = (...groupOf: number[]): Partition => ({
  groupOf: Int32Array.from(groupOf),
  count: Math.max(...groupOf) + 1,
})
const sizes = [5, 3, 2, 4]
const fine = sizes.map(singletons)
const coarse = [groups(0, 0, 1, 1, 1), groups(0, 1, 0), groups(0, 1), groups(0, -1, 1, 1)]

/** Marginals of one to three attributes, in two groupings, one of which leaves a code out. */
function problem(random: () => number): MixtureProblem {
  const marginal = (attributes: readonly number[], from: readonly Partition[], variance: number): GroupedMarginal => {
    const axes = attributes.map((attribute) => ({ attribute, groups: from[attribute]! }))
    const cells = axes.reduce((product, { groups }) => product * groups.count, 1)
    const values = Float64Array.from({ length: cells }, () => (200 * random()) / cells)
    return { axes, values, variance }
  }
  const marginals = [
    marginal([0], fine, 3),
    marginal([3], coarse, 1),
    marginal([0, 1], fine, 2),
    // Differences of 10 and more: some pull as hard as they may, others do not.
    { ...marginal([0, 2], coarse, 1), mostPull: 10 },
    marginal([3, 1], coarse, 4),
    marginal([0, 1, 3], coarse, 2),
    marginal([2, 3, 1], fine, 5),
    { ...marginal([1, 2], fine, 1), variance: Float64Array.of(1, 2, 3, 4, 5, 6) },
  ]
  const attributes = sizes.map((size, a) => ({
    atoms: refinement(size, [fine[a]!, coarse[a]!]),
    counts: Float64Array.from({ length: size }, () => 10 + 20 * random()),
  }))
  return { records: 100, attributes, marginals }
}

/** Components with a start, and the objective that they are judged by. */
function opened(given: MixtureProblem, spread: number, random: () => number) {
  const layout = layoutOf(given)
  const atoms = given.attributes.reduce((sum, { atoms }) => sum + atoms.count, 0)
  const panels = new Panels(8, Components.rows(atoms) + Objective.rows(layout, atoms), layout.weights.length)
  const components = new Components(given.attributes, panels)
  components.start(given.attributes, spread, random)
  return { components, objective: new Objective(layout, given.records, atoms, panels) }
}

/** The objective from its definition, in doubles: every cell of the universe, one after the other. */
function slowValue(problem: MixtureProblem, { offsets, logits, weightLogits, count }: Components): number {
  const softmax = (values: number[]) => {
    const exps = values.map((value) => Math.exp(value - Math.max(...values)))
    const sum = exps.reduce((a, b) => a + b)
    return exps.map((value) => value / sum)
  }
  const weights = softmax([...weightLogits])
  const theta = weights.map((_, k) =>
    sizes.map((_, a) =>
      softmax(Array.from({ length: offsets[a + 1]! - offsets[a]! }, (_, v) => logits[(offsets[a]! + v) * count + k]!)),
    ),
  )
  const tables = problem.marginals.map(({ values }) => new Float64Array(values.length))
  for (let cell = 0; cell < sizes.reduce((a, b) => a * b); cell++) {
    const codes: number[] = []
    for (let a = sizes.length - 1, rest = cell; a >= 0; a--) {
      codes[a] = rest % sizes[a]!
      rest = Math.floor(rest / sizes[a]!)
    }
    const mass = weights.reduce(
      (sum, weight, k) =>
        sum +
        codes.reduce((p, code, a) => p * theta[k]![a]![problem.attributes[a]!.atoms.groupOf[code]!]!, weight * 100),
      0,
    )
    for (const [m, { axes }] of problem.marginals.entries()) {
      const places = axes.map(({ attribute, groups }) => groups.groupOf[codes[attribute]!]!)
      if (places.some((place) => place < 0)) continue
      tables[m]![places.reduce((at, place, axis) => at * axes[axis]!.groups.count + place, 0)]! += mass
    }
  }
  return problem.marginals.reduce(
    (sum, { values, variance, mostPull = Infinity }, m) =>
      sum +
      tables[m]!.reduce(
        (s, model, i) =>
          s + huber(model - values[i]!, mostPull) / (typeof variance === 'number' ? variance : variance[i]!),
        0,
      ),
    0,
  )
}

/** ½x², and beyond the limit the straight line that goes on from it. */
const huber = (x: number, limit: number): number =>
  Math.abs(x) <= limit ? x ** 2 / 2 : limit * (Math.abs(x) - limit / 2)

test('value and derivatives are those of the definition', () => {
  const { uniform } = seededBits(1)
  const given = problem(uniform)
  const { components, objective } = opened(given, 0.5, uniform)
  for (let k = 0; k < 8; k++) components.weightLogits[k] = uniform()
  components.update()
  const value = slowValue(given, components)
  // Floats of 24 bits, and sums of squares of differences as large as their parts.
  expect(objective.value(components) / objective.layout.scale / value).toBeCloseTo(1, 5)
  const step = 1e-3
  for (const [parameters, slopes] of [
    [components.logits, objective.slopes],
    [components.weightLogits, objective.totals],
  ] as const) {
    const largest = slopes.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0) / objective.layout.scale
    for (let i = 0; i < parameters.length; i++) {
      const at = parameters[i]!
      parameters[i] = at + step
      const [above, x1] = [slowValue(given, components), parameters[i]!]
      parameters[i] = at - step
      const [below, x0] = [slowValue(given, components), parameters[i]!]
      parameters[i] = at
      // The difference quotient is off by step²/6 times the third derivative, a few times the largest first one.
      const off = Math.abs(slopes[i]! / objective.layout.scale - (above - below) / (x1 - x0))
      expect(off / largest).toBeLessThan(1e-4)
    }
  }
})

test('a fit stops where the tables are as far off as their noise, and not before', () => {
  const { uniform } = seededBits(2)
  // Two attributes that agree nine times in ten, and noise of variance 4.
  const values = Float64Array.of(45, 5, 5, 45).map((count) => count + 4 * (uniform() - 0.5))
  const axes = [0, 1].map((attribute) => ({ attribute, groups: singletons(2) }))
  const attributes = axes.map(() => ({ atoms: singletons(2), counts: Float64Array.of(50, 50) }))
  const given: MixtureProblem = { records: 100, attributes, marginals: [{ axes, values, variance: 4 }] }
  const fitted = new MixtureFit(given, { components: 8, random: uniform }).next()
  // What was fitted is looked at with another objective's eyes.
  const { components, objective } = opened(given, 0, uniform)
  components.update()
  objective.differentiate(components)
  expect(objective.misfit().chiSquare).toBeGreaterThan(100)
  components.logits.set(fitted.logits)
  components.weightLogits.set(fitted.weightLogits)
  components.update()
  objective.differentiate(components)
  expect(objective.misfit().cells).toBe(4)
  expect(objective.misfit().chiSquare).toBeLessThanOrEqual(0.8 * 4)
})
