import { one } from '../../../numeric/index.ts'
import { type Factor, type LinearQuery, marginal } from '../../../query/index.ts'
import type { Attribute, Universe } from '../../../schema/index.ts'

/** Attributes with more codes are not grouped by. */
const mostGroups = 100

/** What somebody asks who is interested in a few attributes: each question is about one or two of them. */
export class RandomQuestions {
  readonly #attributes: readonly Attribute[]
  readonly #uniform: () => number

  /** `uniform`: below 1. */
  constructor({ attributes }: Universe, uniform: () => number) {
    const order = attributes.map((attribute) => ({ attribute, at: uniform() })).sort((a, b) => a.at - b.at)
    const count = 2 + Math.floor((attributes.length - 1) * uniform())
    this.#attributes = order.slice(0, count).map(({ attribute }) => attribute)
    this.#uniform = uniform
  }

  /** A count with one or two conditions, a table by one attribute, or the sum of a number. */
  any(): LinearQuery {
    const u = this.#uniform()
    if (u < 0.35) return this.range()
    if (u < 0.65) return this.pair()
    if (u < 0.9) return this.#table()
    return this.average()?.sum ?? this.range()
  }

  /** A count with a condition on one attribute. */
  range(): LinearQuery {
    const [a] = this.#drawn()
    return counting({ [a.name]: this.#condition(a) })
  }

  /** A count with conditions on two attributes. */
  pair(): LinearQuery {
    const [a, b] = this.#drawn()
    return counting({ [a.name]: this.#condition(a), [b.name]: this.#condition(b) })
  }

  /** A number's sum where another attribute meets a condition, and the count that it is divided by; undefined where none is a number. */
  average(): { readonly sum: LinearQuery; readonly count: LinearQuery } | undefined {
    const [a, b] = this.#drawn()
    const number = [a, b].find(({ kind }) => kind === 'integer')
    if (!number) return undefined
    const other = number === a ? b : a
    const condition = { [other.name]: this.#condition(other) }
    const value: Factor = { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: number.size - 1 }
    return { sum: counting({ ...condition, [number.name]: value }), count: counting(condition) }
  }

  #table(): LinearQuery {
    const [a, b] = this.#drawn()
    if (a.size > mostGroups) return this.range()
    return this.#uniform() < 0.5
      ? marginal([a.name])
      : { ...counting({ [b.name]: this.#condition(b) }), by: [{ attribute: a.name }] }
  }

  /** Two different ones. */
  #drawn(): [Attribute, Attribute] {
    const count = this.#attributes.length
    const first = Math.floor(count * this.#uniform())
    const other = Math.floor((count - 1) * this.#uniform())
    return [this.#attributes[first]!, this.#attributes[other + (other >= first ? 1 : 0)]!]
  }

  /** A range of a number, one value of another attribute. */
  #condition({ kind, size }: Attribute): Factor {
    const ends = [this.#uniform(), this.#uniform()].map((u) => Math.floor(size * u))
    if (kind !== 'integer') return { kind: 'interval', from: ends[0]!, to: ends[0]! }
    return { kind: 'interval', from: Math.min(...ends), to: Math.max(...ends) }
  }
}

const counting = (factors: { readonly [attribute: string]: Factor }): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors }],
  step: one,
})

/** The largest number that a record adds; the least is 0. */
export const mostOf = ({ terms }: LinearQuery): number =>
  Object.values(terms[0]!.factors).reduce((most, factor) => (factor.kind === 'value' ? factor.to : most), 1)
