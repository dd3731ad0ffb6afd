import { MixtureFit } from './fit/fit.ts'
import type { MixtureProblem } from './fit/problem.ts'
import { type Mixture, sharesOf } from './mixture.ts'

interface EnsembleOptions {
  readonly random: () => number
  /** Called before each member: a place to stop. */
  readonly before?: (member: number, members: number) => Promise<void>
}

/** Components of one mixture: a multiple of eight. */
const count = 96
/** Mixtures to average: fewer where there is so much to fit that each takes long. */
const mostMembers = 8
const cellsOfAll = 2 ** 20
const membersFor = (cells: number): number =>
  Math.max(1, Math.min(mostMembers, Math.floor(cellsOfAll / Math.max(1, cells))))

/**
 * Fits several mixtures, each from its own random start, and averages them: what one has fitted of the noise another has not.
 */
export async function fitMixture(problem: MixtureProblem, options: EnsembleOptions): Promise<Mixture> {
  const { random, before } = options
  const fit = new MixtureFit(problem, { components: count, random })
  const members = membersFor(fit.cells)
  const all = members * count
  const weights = new Float64Array(all)
  const attributes = problem.attributes.map(({ atoms, counts }) => ({
    atoms,
    shares: sharesOf(atoms, counts),
    probabilities: new Float32Array(atoms.count * all),
  }))
  for (let member = 0; member < members; member++) {
    await before?.(member, members)
    const fitted = fit.next()
    for (let k = 0; k < count; k++) weights[member * count + k] = fitted.weights[k]! / members
    for (const [a, { atoms, probabilities }] of attributes.entries())
      for (let atom = 0; atom < atoms.count; atom++) {
        const from = (fitted.offsets[a]! + atom) * count
        probabilities.set(fitted.probabilities.subarray(from, from + count), atom * all + member * count)
      }
  }
  const sum = weights.reduce((a, b) => a + b, 0)
  return { weights: weights.map((weight) => weight / sum), attributes }
}
