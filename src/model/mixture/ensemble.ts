import type { Components } from './fit/components.ts'
import { isBelow, MixtureFit } from './fit/fit.ts'
import type { MixtureProblem } from './fit/problem.ts'
import { type Mixture, sharesOf } from './mixture.ts'

interface EnsembleOptions {
  readonly random: () => number
  /** At most so many are averaged: eight unless said. */
  readonly members?: number
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
  const average = new Average(problem, Math.min(options.members ?? mostMembers, membersFor(fit.cells)))
  for (let member = 0; member < average.members; member++) {
    await before?.(member, average.members)
    average.add(fit.next())
  }
  return average.mixture()
}

/** The same at once, with so many members, each fitted until its χ² is this share of the cells' number. */
export function averagedMixture(
  problem: MixtureProblem,
  options: { readonly random: () => number; readonly members: number; readonly misfit: number },
): Mixture {
  const fit = new MixtureFit(problem, { components: count, random: options.random })
  const average = new Average(problem, Math.min(options.members, membersFor(fit.cells)))
  for (let member = 0; member < average.members; member++) average.add(fit.next(isBelow(options.misfit)))
  return average.mixture()
}

/** Fits one mixture and shows it on the way, with its χ² as a share of the cells' number, until `isEnough` says so. */
export function watchMixture(
  problem: MixtureProblem,
  random: () => number,
  isEnough: (mixture: () => Mixture, misfit: number) => boolean,
): void {
  const fit = new MixtureFit(problem, { components: count, random })
  fit.next(({ chiSquare, cells }, components) => isEnough(() => mixtureOf(problem, components), chiSquare / cells))
}

function mixtureOf(problem: MixtureProblem, components: Components): Mixture {
  const single = new Average(problem, 1)
  single.add(components)
  return single.mixture()
}

/** Mixtures side by side, each with the same part of the weight. */
class Average {
  readonly members: number
  readonly #weights: Float64Array
  readonly #attributes: Mixture['attributes']
  #added = 0

  constructor(problem: MixtureProblem, members: number) {
    this.members = members
    this.#weights = new Float64Array(members * count)
    this.#attributes = problem.attributes.map(({ atoms, counts }) => ({
      atoms,
      shares: sharesOf(atoms, counts),
      probabilities: new Float32Array(atoms.count * members * count),
    }))
  }

  add({ weights, probabilities, offsets }: Components): void {
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
