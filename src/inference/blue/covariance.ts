import type { Universe } from '../../schema/index.ts'
import { subsetsOf } from './centre.ts'
import { crossSum } from './column.ts'
import type { Weights, WeightTerm } from './compile.ts'
import type { Components } from './components.ts'
import { IntervalRows } from './interval-rows.ts'
import { kept } from './kept.ts'

/** Up to so many unknown components are added up one by one: then nothing cancels, and nothing is exactly 0. */
const mostListed = 1024
const widestListed = 16

/** What is known about the components inside the attributes that two terms share. */
interface Common {
  readonly known: readonly { readonly inside: readonly boolean[]; readonly inverse: number }[]
  /** undefined where there are too many to list: then they are all less the known ones. */
  readonly unknown: readonly (readonly boolean[])[] | undefined
}

/**
 * Inner products of scalar queries, split by what marginals know. With ⟨q, q'⟩ the mean over cells of q·q' and P_B the
 * projector on component B, for products of columns
 *
 *     ⟨P_B q, P_B q'⟩ = Π_{i∈B} cov(g_i, g'_i) · Π_{i∉B} mean(g_i)·mean(g'_i),
 *
 * which is 0 unless both queries look at every attribute of B.
 */
export class Covariances {
  readonly #universe: Universe
  readonly #components: Components
  readonly #commons = new Map<number, Common>()
  readonly #plain: boolean
  #flat: IntervalRows | undefined
  #covariances: number[] = []
  #means: number[] = []
  #places: number[] = []
  /** Of all components together, where the unknown ones are the difference from the known. */
  #size = 0

  constructor(universe: Universe, components: Components) {
    this.#universe = universe
    this.#components = components
    this.#plain = components.isEmpty
    this.#flat = this.#plain ? new IntervalRows(universe) : undefined
  }

  /** For a list that goes on differently from now on. */
  fork(): Covariances {
    const other = new Covariances(this.#universe, this.#components)
    other.#flat = this.#flat?.fork()
    return other
  }

  /** K1: Σ over known B of ⟨P_B q, P_B q'⟩ / precision of B: what marginals leave uncertain, in steps squared. */
  known(q: Weights, other: Weights): number {
    if (this.#plain) return 0
    let sum = 0
    for (const s of q.terms) for (const t of other.terms) sum += s.coefficient * t.coefficient * this.#knownOf(s, t)
    return sum
  }

  /** K2: Σ over unknown B of ⟨P_B q, P_B q'⟩: what marginals have never seen. */
  unknown(q: Weights, other: Weights): number {
    let sum = 0
    for (const s of q.terms) for (const t of other.terms) sum += s.coefficient * t.coefficient * this.#unknownOf(s, t)
    return sum
  }

  /** unknown(query, other) for every query of a list that only ever grows. */
  unknownRow(query: Weights, others: readonly Weights[], row: Float64Array): void {
    const flat = this.#flatten(others)
    if (flat && IntervalRows.takes(query)) flat.fill(query, row)
    else for (let b = 0; b < others.length; b++) row[b] = this.unknown(query, others[b]!)
  }

  /** The list as intervals, as long as it is nothing else and marginals know nothing. */
  #flatten(others: readonly Weights[]): IntervalRows | undefined {
    const flat = this.#flat
    if (!flat) return undefined
    while (flat.size < others.length) {
      const next = others[flat.size]!
      if (!IntervalRows.takes(next)) {
        this.#flat = undefined
        return undefined
      }
      flat.push(next)
    }
    return flat
  }

  /** The size of the numbers that unknown(q, q) adds up; its rounding error is a small multiple of 2^-53 times this. */
  unknownScale(q: Weights): number {
    let sum = 0
    for (const s of q.terms)
      for (const t of q.terms) {
        this.#size = 0
        const value = this.#unknownOf(s, t)
        sum += Math.abs(s.coefficient * t.coefficient) * Math.max(Math.abs(value), this.#size)
      }
    return sum
  }

  #knownOf(s: WeightTerm, t: WeightTerm): number {
    const rest = this.#meet(s, t)
    if (rest === 0) return 0
    let sum = 0
    for (const { inside, inverse } of this.#commonOf(s, t).known) sum += inverse * this.#product(inside)
    return rest * sum
  }

  #unknownOf(s: WeightTerm, t: WeightTerm): number {
    if (this.#plain) return plainProduct(s, t)
    const rest = this.#meet(s, t)
    if (rest === 0) return 0
    const { known, unknown } = this.#commonOf(s, t)
    let sum = 0
    if (unknown) for (const inside of unknown) sum += this.#product(inside)
    else {
      sum = this.#means.reduce((all, mean, i) => all * (mean + this.#covariances[i]!), 1)
      this.#size = Math.abs(rest * sum)
      for (const { inside } of known) sum -= this.#product(inside)
    }
    return rest * sum
  }

  /** Fills covariances and products of means of the attributes in common; returns the means of the others. */
  #meet(s: WeightTerm, t: WeightTerm): number {
    let rest = 1
    let [i, j] = [0, 0]
    this.#covariances.length = this.#means.length = this.#places.length = 0
    while (i < s.attributes.length || j < t.attributes.length) {
      const [a, b] = [s.attributes[i] ?? Number.POSITIVE_INFINITY, t.attributes[j] ?? Number.POSITIVE_INFINITY]
      if (a < b) rest *= s.columns[i++]!.mean
      else if (b < a) rest *= t.columns[j++]!.mean
      else {
        const [g, h] = [s.columns[i++]!, t.columns[j++]!]
        // Integers until the division: what is equal cancels to 0.
        this.#covariances.push((g.size * crossSum(g, h) - g.sum * h.sum) / (g.size * g.size))
        this.#means.push(g.mean * h.mean)
        this.#places.push(a)
      }
    }
    return rest
  }

  #product(inside: readonly boolean[]): number {
    let product = 1
    for (let i = 0; i < inside.length; i++) product *= inside[i] ? this.#covariances[i]! : this.#means[i]!
    return product
  }

  #commonOf(s: WeightTerm, t: WeightTerm): Common {
    return kept(this.#commons, s.shape * 2 ** 26 + t.shape, () => this.#split(this.#places.slice()))
  }

  #split(places: readonly number[]): Common {
    const known = this.#components.within(places)
    const count = 2 ** places.length - known.length
    if (count === 0) return { known, unknown: [] }
    if (count > mostListed || places.length > widestListed) return { known, unknown: undefined }
    const isUnknown = (inside: readonly boolean[]) => !this.#components.knows(places.filter((_, i) => inside[i]))
    return { known, unknown: subsetsOf(places.length).filter(isUnknown) }
  }
}

/** ⟨s, t⟩ of two terms without their coefficients. */
function plainProduct(s: WeightTerm, t: WeightTerm): number {
  const [p, q] = [s.attributes, t.attributes]
  let product = 1
  let [i, j] = [0, 0]
  while (i < p.length && j < q.length) {
    const [a, b] = [p[i]!, q[j]!]
    if (a < b) product *= s.columns[i++]!.mean
    else if (b < a) product *= t.columns[j++]!.mean
    else {
      const column = s.columns[i++]!
      product *= crossSum(column, t.columns[j++]!) / column.size
    }
  }
  while (i < p.length) product *= s.columns[i++]!.mean
  while (j < q.length) product *= t.columns[j++]!.mean
  return product
}
