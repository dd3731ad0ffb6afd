import type { Universe } from '../../../schema/index.ts'
import { type Column, type Steps, shortSteps, stepAt, stepsOf } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import type { Components } from '../marginals/components.ts'
import type { Field } from './modular.ts'

/** A random point: x_i for every attribute. */
type Point = Float64Array

/**
 * Values of queries at random points modulo a prime, where what a query has at a corner is the coefficient of
 * Π x_i^code: exact and linear in the query. Corners that marginals know do not count. A combination of queries that is
 * not 0 elsewhere vanishes at a random point with probability at most (number of codes)/prime (Schwartz and Zippel).
 */
export class Fingerprints {
  readonly field: Field
  readonly #universe: Universe
  readonly #components: Components | undefined
  readonly #random: () => number
  readonly #points: Point[] = []
  readonly #cache = new WeakMap<Weights, Float64Array>()
  readonly #known = new Map<number, readonly (readonly boolean[])[]>()

  constructor(field: Field, universe: Universe, components: Components | undefined, random: () => number) {
    this.field = field
    this.#universe = universe
    this.#components = components
    this.#random = random
  }

  /** The query's values at the first `count` points, or more. */
  of(query: Weights, count: number): Float64Array {
    const before = this.#cache.get(query)
    if (before && before.length >= count) return before
    while (this.#points.length < count) this.#points.push(this.#draw())
    const values = new Float64Array(count)
    values.set(before ?? [])
    for (let k = before?.length ?? 0; k < count; k++) values[k] = this.#valueAt(query, this.#points[k]!)
    this.#cache.set(query, values)
    return values
  }

  #draw(): Point {
    return Float64Array.from(this.#universe.attributes, () => Math.floor(this.#random() * this.field.prime))
  }

  #valueAt({ terms }: Weights, point: Point): number {
    let sum = 0
    for (const term of terms)
      sum = this.field.add(sum, this.field.multiply(this.field.of(term.coefficient), this.#termAt(term, point)))
    return sum
  }

  /** Π over attributes of Σ step·x^code, less the same for every known component. */
  #termAt(term: WeightTerm, point: Point): number {
    const { field } = this
    const { attributes, columns } = term
    const values = columns.map((column, i) => this.#columnAt(column, point[attributes[i]!]!))
    let sum = 1
    for (let i = 0; i < values.length; i++) sum = field.multiply(sum, values[i]!)
    const known = this.#knownIn(term)
    if (known.length > 0) {
      const first = columns.map((column) => field.of(stepAt(column, 0)))
      for (const inside of known) {
        let product = 1
        for (let i = 0; i < inside.length; i++)
          product = field.multiply(product, inside[i] ? field.subtract(values[i]!, first[i]!) : first[i]!)
        sum = field.subtract(sum, product)
      }
    }
    return sum
  }

  #knownIn({ shape, attributes }: WeightTerm): readonly (readonly boolean[])[] {
    return kept(this.#known, shape, () => this.#components?.within(attributes).map(({ inside }) => inside) ?? [])
  }

  /** Σ step·x^code: where that is shorter, from its product with a power of 1 - x. */
  #columnAt(column: Column, x: number): number {
    const { field } = this
    const short = shortSteps(column)
    // A power of 0 tells nothing.
    if (short.times === 0 || x === 1) return this.#sumAt(stepsOf(column), x)
    return field.multiply(this.#sumAt(short, x), field.invert(field.power(field.subtract(1, x), short.times)))
  }

  /** By Horner's rule. */
  #sumAt({ codes, steps }: Steps, x: number): number {
    const { field } = this
    let value = 0
    for (let k = codes.length - 1; k >= 0; k--) {
      const gap = codes[k]! - (k > 0 ? codes[k - 1]! : 0)
      value = field.multiply(field.add(value, field.of(steps[k]!)), gap === 1 ? x : field.power(x, gap))
    }
    return value
  }
}
