import type { Universe } from '../../schema/index.ts'
import { type Column, tableOf } from './column.ts'
import type { Weights, WeightTerm } from './compile.ts'
import type { Components } from './components.ts'
import type { Field } from './modular.ts'

/** A random point: x_i for every attribute, where the weights of a cell are taken as coefficients of Π x_i^code. */
interface Point {
  readonly x: Float64Array
  /** 1/(x_i - 1), Σ over all codes of x_i^code and its inverse; 0 until asked for. */
  readonly lessOne: Float64Array
  readonly whole: Float64Array
  readonly wholeInverse: Float64Array
  /** Product of `whole` over all attributes. */
  readonly total: number
}

/**
 * Values of queries, as polynomials, at random points modulo a prime: exact and linear in the query. Of a query only
 * its part in the components that marginals do not know counts. A combination of queries that is not 0 there vanishes
 * at a random point with probability at most (number of codes)/prime (Schwartz and Zippel).
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

  /** The query's values at the first `count` points. */
  of(query: Weights, count: number): Float64Array {
    let values = this.#cache.get(query)
    if (!values || values.length < count) {
      while (this.#points.length < count) this.#points.push(this.#draw())
      const known = values?.length ?? 0
      values = Float64Array.from({ length: count }, (_, k) =>
        k < known ? values![k]! : this.#valueAt(query, this.#points[k]!),
      )
      this.#cache.set(query, values)
    }
    return values.subarray(0, count)
  }

  #draw(): Point {
    const { field } = this
    const sizes = this.#universe.attributes.map((a) => a.size)
    const draw = () => 2 + Math.floor(this.#random() * (field.prime - 2))
    const [x, lessOne, whole] = [0, 0, 0].map(() => new Float64Array(sizes.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    let total = 1
    sizes.forEach((n, i) => {
      do {
        x[i] = draw()
        lessOne[i] = field.invert(x[i]! - 1)
        whole[i] = field.multiply(field.subtract(field.power(x[i]!, n), 1), lessOne[i]!)
      } while (whole[i] === 0)
      total = field.multiply(total, whole[i]!)
    })
    return { x, lessOne, whole, wholeInverse: new Float64Array(sizes.length), total }
  }

  #valueAt({ terms }: Weights, point: Point): number {
    let sum = 0
    for (const term of terms)
      sum = this.field.add(sum, this.field.multiply(this.field.of(term.coefficient), this.#termAt(term, point)))
    return sum
  }

  /** Π over attributes of Σ g(code)·x^code, less the same for every known component. */
  #termAt(term: WeightTerm, point: Point): number {
    const { field } = this
    const { attributes, columns } = term
    let rest = point.total
    const values = columns.map((column, i) => {
      rest = field.multiply(rest, this.#wholeInverse(point, attributes[i]!))
      return this.#columnAt(column, point.x[attributes[i]!]!, point.lessOne[attributes[i]!]!)
    })
    let sum = values.reduce((product, value) => field.multiply(product, value), 1)
    const known = this.#knownIn(term)
    if (known.length > 0) {
      const means = columns.map((column, i) => this.#meanAt(column, point.whole[attributes[i]!]!))
      for (const inside of known) {
        let product = 1
        for (let i = 0; i < inside.length; i++)
          product = field.multiply(product, inside[i] ? field.subtract(values[i]!, means[i]!) : means[i]!)
        sum = field.subtract(sum, product)
      }
    }
    return field.multiply(rest, sum)
  }

  #knownIn({ shape, attributes }: WeightTerm): readonly (readonly boolean[])[] {
    let known = this.#known.get(shape)
    if (!known) {
      known = this.#components?.within(attributes).map(({ inside }) => inside) ?? []
      this.#known.set(shape, known)
    }
    return known
  }

  #wholeInverse(point: Point, i: number): number {
    if (point.wholeInverse[i] === 0) point.wholeInverse[i] = this.field.invert(point.whole[i]!)
    return point.wholeInverse[i]!
  }

  #columnAt(column: Column, x: number, lessOne: number): number {
    const { field } = this
    const run = (from: number, to: number) =>
      field.multiply(field.multiply(field.power(x, from), field.subtract(field.power(x, to - from + 1), 1)), lessOne)
    if (column.interval) return run(column.from, column.to)
    if (column.codes) return runsOf(column.codes).reduce((sum, [from, to]) => field.add(sum, run(from, to)), 0)
    const table = tableOf(column)
    let value = 0
    for (let code = column.to; code >= column.from; code--)
      value = field.add(field.multiply(value, x), field.of(table[code]!))
    return field.multiply(value, field.power(x, column.from))
  }

  /** (Σ g / n) · Σ x^code: the value of the column's mean. */
  #meanAt(column: Column, whole: number): number {
    const { field } = this
    const indicator = column.interval || column.codes !== undefined
    const sum = indicator ? column.sum : tableOf(column).reduce((total, value) => field.add(total, field.of(value)), 0)
    return field.multiply(field.multiply(field.of(sum), field.invert(column.size)), whole)
  }
}

function runsOf(codes: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const code of codes) {
    const last = runs.at(-1)
    if (last && last[1] === code - 1) last[1] = code
    else runs.push([code, code])
  }
  return runs
}
