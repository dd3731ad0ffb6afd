import { stepAt, stepCount, stepsOf } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import type { Components } from '../marginals/components.ts'

/** A query by its corners: integers at some of them, 0 at all others. */
export interface Sparse {
  readonly at: Int32Array
  readonly values: Float64Array
}

/** A query, and its corners where there are few enough to list. */
export interface Vector {
  readonly weights: Weights
  readonly sparse: Sparse | undefined
}

export interface Listed extends Vector {
  readonly sparse: Sparse
}

/** A query with more corners than this is not written out. */
const mostCorners = 2048

/**
 * A query by its steps: along every attribute a factor g is told by g(0) and the differences g(code) - g(code - 1), so a
 * range by where it begins and ends, and the query by the products of these: its corners, a code for each attribute. A
 * range over three attributes has eight of them among 10^10 cells. The change is invertible over the integers, and what
 * a marginal over A knows, all functions of A's attributes, are all corners with codes other than 0 in A alone. So
 * queries modulo what marginals know are integer vectors, and known corners are left out of them.
 */
export class Corners {
  readonly #components: Components
  readonly #numbers: Numbers
  readonly #known = new Map<string, boolean>()

  constructor(components: Components) {
    this.#components = components
    this.#numbers = new Numbers()
  }

  /** Corners with numbers for good are below this. */
  get count(): number {
    return this.#numbers.end
  }

  /** A query that stays: its corners get numbers for good. */
  of(weights: Weights): Sparse | undefined {
    return this.#write(weights, this.#numbers)
  }

  /** A query that only asks: corners that nobody had before get numbers that are forgotten. */
  asked(weights: Weights): Sparse | undefined {
    return this.#write(weights, new Numbers(this.#numbers))
  }

  /** Whether a corner that has a number for good has a code other than 0 of this attribute. */
  isAlong(corner: number, place: number): boolean {
    return this.#numbers.isAlong(corner, place)
  }

  /** What a query has at a corner that has a number for good; NaN where doubles do not hold it exactly. */
  valueAt({ terms }: Weights, corner: number): number {
    const codes = new Map(this.#numbers.codesOf(corner))
    return terms.reduce((sum, { coefficient, attributes, columns }) => {
      if ([...codes.keys()].some((place) => !attributes.includes(place))) return sum
      const value = columns.reduce((all, g, i) => exactly(all * stepAt(g, codes.get(attributes[i]!) ?? 0)), coefficient)
      return exactly(sum + value)
    }, 0)
  }

  #write({ terms }: Weights, numbers: Numbers): Sparse | undefined {
    if (terms.reduce((count, term) => count + cornerCount(term), 0) > mostCorners) return undefined
    const sums = new Map<number, number>()
    for (const { coefficient, attributes, columns } of terms) {
      const steps = columns.map(stepsOf)
      const walk = (axis: number, corner: number, value: number): void => {
        if (axis === steps.length) sums.set(corner, exactly((sums.get(corner) ?? 0) + value))
        else {
          const { codes, steps: own } = steps[axis]!
          for (let k = 0; k < codes.length; k++) {
            const next = codes[k] === 0 ? corner : numbers.next(corner, attributes[axis]!, codes[k]!)
            walk(axis + 1, next, exactly(value * own[k]!))
          }
        }
      }
      walk(0, 0, coefficient)
    }
    sums.forEach((value, corner) => {
      if (value === 0 || this.#isKnown(corner, numbers)) sums.delete(corner)
    })
    const sparse = sparseOf(sums)
    return sparse.values.some(Number.isNaN) ? undefined : sparse
  }

  #isKnown(corner: number, numbers: Numbers): boolean {
    if (this.#components.isEmpty) return false
    const places = numbers.codesOf(corner).map(([place]) => place)
    return kept(this.#known, places.join(), () => this.#components.knows(places))
  }
}

/** Integers at corners. */
export function sparseOf(sums: ReadonlyMap<number, number>): Sparse {
  const [at, values] = [new Int32Array(sums.size), new Float64Array(sums.size)]
  let k = 0
  sums.forEach((value, corner) => {
    at[k] = corner
    values[k++] = value
  })
  return { at, values }
}

const exactly = (value: number): number => (Number.isSafeInteger(value) ? value : Number.NaN)

const cornerCount = ({ columns }: WeightTerm): number =>
  columns.reduce((count, column) => (count > mostCorners ? count : count * stepCount(column)), 1)

/** Keys are two numbers below this in one. */
const most = 2 ** 26

/** A number for every corner: one more code than the corner that it follows, attributes ascending; 0 has none. */
class Numbers {
  readonly #base: Numbers | undefined
  readonly #first: number
  /** Of attributes with a code: few, so that those of forgotten corners may stay. */
  readonly #pairs: Map<number, number>
  readonly #children = new Map<number, number>()
  readonly #corners: { readonly before: number; readonly place: number; readonly code: number }[] = []

  constructor(base?: Numbers) {
    this.#base = base
    this.#first = base ? base.end : 1
    this.#pairs = base ? base.#pairs : new Map()
  }

  get end(): number {
    return this.#first + this.#corners.length
  }

  next(before: number, place: number, code: number): number {
    const pair = kept(this.#pairs, place * 2 ** 32 + code, () => this.#pairs.size)
    const key = before * most + pair
    const known = this.#base?.find(key) ?? this.#children.get(key)
    if (known !== undefined) return known
    const number = this.end
    this.#corners.push({ before, place, code })
    this.#children.set(key, number)
    return number
  }

  find(key: number): number | undefined {
    return this.#children.get(key)
  }

  /** Its attributes and codes other than 0. */
  codesOf(corner: number): [number, number][] {
    const codes: [number, number][] = []
    for (let at = corner; at > 0; ) {
      const { before, place, code } = this.#get(at)
      codes.push([place, code])
      at = before
    }
    return codes.reverse()
  }

  isAlong(corner: number, place: number): boolean {
    for (let at = corner; at > 0; ) {
      const own = this.#get(at)
      if (own.place === place) return true
      at = own.before
    }
    return false
  }

  #get(corner: number) {
    return corner < this.#first ? this.#base!.#corners[corner - 1]! : this.#corners[corner - this.#first]!
  }
}
