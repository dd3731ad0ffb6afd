import { subsetsOf } from '../blue/marginals/centre.ts'
import type { Inverses } from '../blue/marginals/components.ts'

interface Component {
  readonly attributes: readonly number[]
  precision: number
}

/**
 * How well marginals and a prior together know each component of the data. The prior has the same variance in every
 * cell, so it adds the same to every component's precision; a component that no marginal shows has nothing else.
 * Units are those of Components: the size of the universe is divided out.
 */
export class Precisions implements Inverses {
  readonly #prior: number
  readonly #byKey = new Map<string, Component>()

  /** `variance` is what the prior leaves of a query whose mean square over the cells is 1. */
  constructor(variance: number, { publicCount }: { readonly publicCount: boolean }) {
    this.#prior = 1 / variance
    if (publicCount) this.#componentOf([]).precision = Number.POSITIVE_INFINITY
  }

  add(attributes: readonly number[], cells: number, variance: number): void {
    for (const inside of subsetsOf(attributes.length))
      this.#componentOf(attributes.filter((_, i) => inside[i])).precision += 1 / variance / cells
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  knows(attributes: readonly number[]): boolean {
    return this.#byKey.has(attributes.join())
  }

  inverseOf(attributes: readonly number[]): number | undefined {
    const component = this.#byKey.get(attributes.join())
    return component && 1 / (component.precision + this.#prior)
  }

  within(attributes: readonly number[]): { inside: readonly boolean[]; inverse: number }[] {
    const marks =
      2 ** attributes.length <= this.#byKey.size
        ? subsetsOf(attributes.length)
        : [...this.#byKey.values()]
            .filter((component) => component.attributes.every((place) => attributes.includes(place)))
            .map((component) => attributes.map((place) => component.attributes.includes(place)))
    return marks.flatMap((inside) => {
      const inverse = this.inverseOf(attributes.filter((_, i) => inside[i]))
      return inverse === undefined ? [] : [{ inside, inverse }]
    })
  }

  #componentOf(attributes: readonly number[]): Component {
    const key = attributes.join()
    const component = this.#byKey.get(key) ?? { attributes, precision: 0 }
    this.#byKey.set(key, component)
    return component
  }
}
