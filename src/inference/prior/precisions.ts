import { subsetsOf } from '../blue/marginals/centre.ts'
import { Inverses, type KnownComponent } from '../blue/marginals/inverses.ts'

/**
 * How well marginals and a prior together know each component of the data. The prior has the same variance in every
 * cell, so it adds the same to every component's precision; a component that no marginal shows has nothing else.
 * Units are those of Components: the size of the universe is divided out.
 */
export class Precisions extends Inverses {
  readonly #prior: number

  /** `variance` is what the prior leaves of a query whose mean square over the cells is 1. */
  constructor(variance: number, { publicCount }: { readonly publicCount: boolean }) {
    super()
    this.#prior = 1 / variance
    if (publicCount) this.componentOf([]).precision = Number.POSITIVE_INFINITY
  }

  add(attributes: readonly number[], cells: number, variance: number): void {
    for (const inside of subsetsOf(attributes.length))
      this.componentOf(attributes.filter((_, i) => inside[i])).precision += 1 / variance / cells
  }

  protected made(attributes: readonly number[]): KnownComponent {
    return { attributes, precision: 0 }
  }

  protected inverse({ precision }: KnownComponent): number {
    return 1 / (precision + this.#prior)
  }
}
