import type { Universe } from '../../../schema/index.ts'
import type { Weights } from '../compile.ts'
import { Components } from '../marginals/components.ts'
import { byCells, Covariances } from '../marginals/covariance.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { Certainty } from '../proof/certainty.ts'
import { unit } from '../rounding.ts'
import type { Combined } from './combined.ts'

/** Questions that a single measurement answers: of the same query, or a multiple of it. */
export class Multiples {
  readonly #products: Covariances
  readonly #certainty: Certainty

  constructor(universe: Universe, random: () => number) {
    this.#products = new Covariances(new Components(universe), byCells)
    this.#certainty = Certainty.over(universe, undefined, random)
  }

  estimate(weights: Weights, answer: ScalarAnswer): Combined | undefined {
    const product = this.#products.unknown(weights, answer.weights)
    const [own, other] = [weights, answer.weights].map((w) => this.#products.unknown(w, w)) as [number, number]
    // Far from parallel: not worth a proof.
    if (product * product < 0.999 * own * other) return undefined
    const times = this.#certainty.multiple(weights, answer.weights, product / other)
    if (times === undefined) return undefined
    const variance = times * times * answer.variance
    const estimate = times * answer.value
    return {
      estimate,
      rounding:
        Math.abs(times) * (answer.rounding ?? 0) +
        (Number.isInteger(times) && Number.isSafeInteger(estimate) ? 0 : 2 * unit * Math.abs(estimate)),
      variance,
      largest: variance,
      excess: 0,
      deviations: 0,
      answers: [{ answer, times }],
      rest: () => [],
    }
  }
}
