import type { Components } from './fit/components.ts'
import { MixtureFit } from './fit/fit.ts'
import type { MixtureProblem } from './fit/problem.ts'
import { type Mixture, sharesOf } from './mixture.ts'

interface EnsembleOptions {
  readonly random: () => number
  /** At most so many are averaged: eight unless said. */
  readonly members?: number
  /** Called before each member: a place to stop. */
  readonly before?: (member: number, members: number) => Promise<void>
}

/** Components of one mixture, and of one that is charged for complexity: multiples of eight. */
const [components, fewComponents] = [96, 48]
/** A mixture that is charged no more than this for complexity might as well not be. */
const leastCharge = 0.5
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
  const fit = new MixtureFit(problem, { components, random })
  const members = Math.min(options.members ?? mostMembers, membersFor(fit.cells))
  const average = new Average(problem, members, components)
  for (let member = 0; member < average.members; member++) {
    await before?.(member, average.members)
    average.add(fit.next())
  }
  return average.mixture()
}

/** The same at once, with so many members, each charged for complexity, down to this charge. */
export function simplestMixture(
  problem: MixtureProblem,
  options: { readonly random: () => number; readonly members: number; readonly charge: number },
): Mixture {
  const fit = new MixtureFit(problem, { components: fewComponents, random: options.random })
  const average = new Average(problem, Math.min(options.members, membersFor(fit.cells)), fewComponents)
  for (let member = 0; member < average.members; member++) {
    for (const { charge, components } of fit.simplest(options.charge))
      if (charge === options.charge) average.add(components)
  }
  return average.mixture()
}

/** One mixture as it becomes while it is charged less and less for complexity, and whether all of its components are alike. */
export function* mixturePath(
  problem: MixtureProblem,
  random: () => number,
): Generator<{ readonly charge: number; readonly mixture: Mixture; readonly isProduct: boolean }> {
  const fit = new MixtureFit(problem, { components: fewComponents, random })
  for (const { charge, components, isProduct } of fit.simplest(leastCharge)) {
    const single = new Average(problem, 1, fewComponents)
    single.add(components)
    yield { charge, mixture: single.mixture(), isProduct }
  }
}

/** Mixtures side by side, each with the same part of the weight. */
class Average {
  readonly members: number
  readonly #count: number
  readonly #weights: Float64Array
  readonly #attributes: Mixture['attributes']
  #added = 0

  /** Of so many members, with so many components each. */
  constructor(problem: MixtureProblem, members: number, count: number) {
    this.members = members
    this.#count = count
    this.#weights = new Float64Array(members * count)
    this.#attributes = problem.attributes.map(({ atoms, counts }) => ({
      atoms,
      shares: sharesOf(atoms, counts),
      probabilities: new Float32Array(atoms.count * members * count),
    }))
  }

  add({ weights, probabilities, offsets }: Components): void {
    const count = this.#count
    const [all, first] = [this.members * count, this.#added++ * count]
    for (let k = 0; k < count; k++) this.#weights[first + k] = weights[k]! / this.members
    for (const [a, attribute] of this.#attributes.entries())
      for (let atom = 0; atom < attribute.atoms.count; atom++) {
        const from = (offsets[a]! + atom) * count
        attribute.probabilities.set(probabilities.subarray(from, from + count), atom * all + first)
      }
  }

  mixture(): Mixture {
    const sum = this.#weights.reduce((a, b) => a + b, 0)
    return { weights: this.#weights.map((weight) => weight / sum), attributes: this.#attributes }
  }
}
