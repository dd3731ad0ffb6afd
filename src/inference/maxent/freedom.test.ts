import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { marginal, type NoiseLaw } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { uniformShares } from '../fitted/prior.ts'
import { drawnSigns } from './cross-validation.ts'
import { solveExactly } from './exact/solve.ts'
import { exactCliques, TreeMeans } from './exact/tree-means.ts'
import { freedom } from './freedom.ts'
import { penaltyAt } from './penalty.ts'
import { maxentProblem } from './problem.ts'

const u = universe(
  [4, 3, 3].map((size, i) => attribute({ kind: 'integer', name: 'abc'[i]!, low: 0, high: size - 1, closed: true })),
)
const records = 1000
const deviation = 30
const laws: { [name: string]: { law: NoiseLaw; draw: (uniform: () => number) => number; alpha: number } } = {
  Laplace: {
    law: { kind: 'laplace', scale: rational(21) },
    draw: (uniform) => 21 * Math.log(1 - uniform()) * (uniform() < 0.5 ? -1 : 1),
    alpha: 0.01,
  },
  Gaussian: {
    law: { kind: 'gaussian', variance: rational(deviation ** 2) },
    draw: (uniform) => deviation * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    alpha: 0.02,
  },
}

/** The slow twin: the noise is drawn many times, and what the fitted numbers have of it is added up. */
test.each(Object.entries(laws))('%s noise is followed as far as is said', (_, { law, draw, alpha }) => {
  const { uniform } = seededBits(3)
  const truth = [
    [120, 60, 90, 40, 110, 70, 130, 50, 80, 30, 100, 120],
    [200, 90, 60, 50, 140, 90, 70, 80, 220],
  ]
  const said: number[] = []
  const followed: number[] = []
  for (let time = 0; time < 1000; time++) {
    const noise = truth.map((counts) => counts.map(() => draw(uniform)))
    const answers = [
      ['a', 'b'],
      ['b', 'c'],
    ].map((names, i) => ({
      query: marginal(names),
      law,
      values: Float64Array.from(truth[i]!, (count, cell) => count + noise[i]![cell]!),
    }))
    const problem = maxentProblem(u, records, uniformShares(u), answers)
    const tree = new TreeMeans(problem, exactCliques(problem)!)
    const { w, means } = solveExactly(problem, tree, alpha)
    const isUsed = new Uint8Array(w.length).fill(1)
    const fit = { w, isUsed, covariance: tree.covariance(w) }
    said.push(freedom(fit, penaltyAt(problem, alpha), drawnSigns(problem, uniform)))
    const [exact, drawn] = [truth.flat(), noise.flat()]
    followed.push(means.reduce((sum, mean, i) => sum + (records * mean - exact[i]!) * drawn[i]!, 0) / deviation ** 2)
  }
  const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length
  // The mean of a thousand draws has a deviation of 2% of what is followed, and the noise of answers is guessed.
  expect(Math.abs(mean(said) - mean(followed))).toBeLessThan(0.1 * mean(followed))
})
