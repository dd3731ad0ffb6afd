import { type Column, crossSteps, crossSum, stepAt } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import { subsetsOf } from './centre.ts'
import type { Inverses } from './inverses.ts'

/** Up to so many unknown components are added up one by one: then nothing cancels, and nothing is exactly 0. */
const mostListed = 1024
const widestListed = 16

/** What is known about the components inside the attributes that two terms share. */
interface Common {
  readonly known: readonly { readonly inside: readonly boolean[]; readonly inverse: number }[]
  /** undefined where there are too many to list: then they are all less the known ones. */
  readonly unknown: readonly (readonly boolean[])[] | undefined
}

/** An inner product along one attribute, in two parts: what a factor is without the attribute, and what is added by it. */
interface Parts {
  readonly inside: (g: Column, h: Column) => number
  readonly outside: (g: Column, h: Column) => number
  /** The outside part with a factor that is 1 everywhere. */
  readonly alone: (g: Column) => number
}

/** ⟨q, q'⟩ the mean over cells of q·q': ⟨P_B q, P_B q'⟩ = Π_{i∈B} cov(g_i, g'_i) · Π_{i∉B} mean(g_i)·mean(g'_i). */
export const byCells: Parts = {
  // Integers until the division: what is equal cancels to 0.
  inside: (g, h) => (g.size * crossSum(g, h) - g.sum * h.sum) / (g.size * g.size),
  outside: (g, h) => g.mean * h.mean,
  alone: (g) => g.mean,
}

/** The sum over corners of q·q', split by the attributes in which a corner has codes other than 0: all integers. */
export const byCorners: Parts = {
  inside: crossSteps,
  outside: (g, h) => stepAt(g, 0) * stepAt(h, 0),
  alone: (g) => stepAt(g, 0),
}

/** Inner products of scalar queries, split by what marginals know. Components that one of two queries lacks add 0. */
export class Covariances {
  readonly #components: Inverses
  readonly #parts: Parts
  readonly #commons = new Map<number, Common>()
  /** Of the attributes that two terms share, so many of them: both parts, and which they are. */
  readonly #inside: number[] = []
  readonly #outside: number[] = []
  readonly #places: number[] = []
  #shared = 0
  /** Of all components together, where the unknown ones are the difference from the known. */
  #size = 0

  constructor(components: Inverses, parts: Parts) {
    this.#components = components
    this.#parts = parts
  }

  /** Σ over known B of the part in B, over the precision of B. By cells: what marginals leave uncertain, K1. */
  known(q: Weights, other: Weights): number {
    let sum = 0
    for (const s of q.terms) for (const t of other.terms) sum += s.coefficient * t.coefficient * this.#knownOf(s, t)
    return sum
  }

  /** The size of the numbers that known(q, q) adds up. */
  knownScale(q: Weights): number {
    let sum = 0
    for (const s of q.terms)
      for (const t of q.terms) sum += Math.abs(s.coefficient * t.coefficient * this.#knownOf(s, t))
    return sum
  }

  /** Σ over unknown B of the part in B: what marginals have never seen. */
  unknown(q: Weights, other: Weights): number {
    let sum = 0
    for (const s of q.terms) for (const t of other.terms) sum += s.coefficient * t.coefficient * this.#unknownOf(s, t)
    return sum
  }

  /** known + times · unknown, looked at once. */
  uncertain(q: Weights, other: Weights, times: number): number {
    let sum = 0
    for (const s of q.terms)
      for (const t of other.terms) {
        const rest = this.#meet(s, t)
        if (rest === 0) continue
        const common = this.#commonOf(s, t)
        sum += s.coefficient * t.coefficient * rest * (this.#knownSum(common) + times * this.#unknownSum(common, rest))
      }
    return sum
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
    return rest === 0 ? 0 : rest * this.#knownSum(this.#commonOf(s, t))
  }

  #unknownOf(s: WeightTerm, t: WeightTerm): number {
    const rest = this.#meet(s, t)
    return rest === 0 ? 0 : rest * this.#unknownSum(this.#commonOf(s, t), rest)
  }

  #knownSum({ known }: Common): number {
    let sum = 0
    for (const { inside, inverse } of known) sum += inverse * this.#product(inside)
    return sum
  }

  #unknownSum({ known, unknown }: Common, rest: number): number {
    let sum = unknown ? 0 : 1
    if (unknown) for (const inside of unknown) sum += this.#product(inside)
    else {
      for (let i = 0; i < this.#shared; i++) sum *= this.#outside[i]! + this.#inside[i]!
      this.#size = Math.abs(rest * sum)
      for (const { inside } of known) sum -= this.#product(inside)
    }
    return sum
  }

  /** Fills both parts of the attributes in common; returns the product over the others. */
  #meet(s: WeightTerm, t: WeightTerm): number {
    const { inside, outside, alone } = this.#parts
    let rest = 1
    let i = 0
    let j = 0
    let shared = 0
    while (i < s.attributes.length || j < t.attributes.length) {
      const a = i < s.attributes.length ? s.attributes[i]! : Number.POSITIVE_INFINITY
      const b = j < t.attributes.length ? t.attributes[j]! : Number.POSITIVE_INFINITY
      if (a < b) rest *= alone(s.columns[i++]!)
      else if (b < a) rest *= alone(t.columns[j++]!)
      else {
        const g = s.columns[i++]!
        const h = t.columns[j++]!
        this.#inside[shared] = inside(g, h)
        this.#outside[shared] = outside(g, h)
        this.#places[shared++] = a
      }
    }
    this.#shared = shared
    return rest
  }

  #product(inside: readonly boolean[]): number {
    let product = 1
    for (let i = 0; i < inside.length; i++) product *= inside[i] ? this.#inside[i]! : this.#outside[i]!
    return product
  }

  #commonOf(s: WeightTerm, t: WeightTerm): Common {
    const key = s.shape * 2 ** 26 + t.shape
    // Asked millions of times, and nearly always known.
    return this.#commons.get(key) ?? kept(this.#commons, key, () => this.#split(this.#places.slice(0, this.#shared)))
  }

  #split(places: readonly number[]): Common {
    if (this.#components.isEmpty) return { known: [], unknown: undefined }
    const known = this.#components.within(places)
    const count = 2 ** places.length - known.length
    if (count === 0) return { known, unknown: [] }
    if (count > mostListed || places.length > widestListed) return { known, unknown: undefined }
    const isUnknown = (inside: readonly boolean[]) => !this.#components.knows(places.filter((_, i) => inside[i]))
    return { known, unknown: subsetsOf(places.length).filter(isUnknown) }
  }
}
