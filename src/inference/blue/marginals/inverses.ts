import { subsetsOf } from './centre.ts'

/** The part of the counts that depends on these attributes and on no fewer, and how well it is known. */
export interface KnownComponent {
  readonly attributes: readonly number[]
  precision: number
}

/** How well each component of the data is known: all that covariances and coefficients need. */
export abstract class Inverses<C extends KnownComponent = KnownComponent> {
  protected readonly byKey = new Map<string, C>()

  /** A component that nothing is known about yet. */
  protected abstract made(attributes: readonly number[]): C
  /** The variance that is left of it. */
  protected abstract inverse(component: C): number

  get isEmpty(): boolean {
    return this.byKey.size === 0
  }

  /** Is anything known about this component? */
  knows(attributes: readonly number[]): boolean {
    return this.byKey.has(attributes.join())
  }

  /** 1/precision, 0 for a public count; undefined where nothing is known. */
  inverseOf(attributes: readonly number[]): number | undefined {
    const component = this.byKey.get(attributes.join())
    return component && this.inverse(component)
  }

  /** The known components inside a set of attributes. */
  within(attributes: readonly number[]): { inside: readonly boolean[]; inverse: number }[] {
    // Subsets of few attributes are fewer than components, and the other way about.
    const subsets =
      2 ** attributes.length <= this.byKey.size
        ? subsetsOf(attributes.length)
        : [...this.byKey.values()]
            .filter((c) => c.attributes.every((place) => attributes.includes(place)))
            .map((c) => attributes.map((place) => c.attributes.includes(place)))
    return subsets.flatMap((inside) => {
      const inverse = this.inverseOf(attributes.filter((_, i) => inside[i]))
      return inverse === undefined ? [] : [{ inside, inverse }]
    })
  }

  protected componentOf(attributes: readonly number[]): C {
    const key = attributes.join()
    const component = this.byKey.get(key) ?? this.made(attributes)
    this.byKey.set(key, component)
    return component
  }
}
