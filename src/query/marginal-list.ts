import { attributeNamed, problem, type Universe } from '../schema/index.ts'
import { countAll, type Grouping, type LinearQuery, maxAnswerSize } from './linear-query.ts'

const invalid = (message: string) => problem('query-invalid', message)

/**
 * Full marginals, each over the same number of attributes, as numbers in one array: half a million of them are checked,
 * written, counted and chosen among without an object for any. Nobody can change one once it is made.
 */
export class MarginalList {
  /** How many attributes each is over. */
  readonly ways: number
  readonly length: number
  readonly #names: readonly string[]
  /** Those of the first marginal, of the second, …: positions among the names. */
  readonly #axes: Int32Array
  readonly #groupings: readonly Grouping[]
  /** Asked for again and again, over the same universe. */
  #latest: { readonly universe: Universe; readonly starts: Float64Array } | undefined

  /** `axes`: the attributes of one marginal after the other, as positions among these names, which are all different. */
  constructor(names: readonly string[], ways: number, axes: ArrayLike<number>) {
    this.#names = Object.freeze(Array.from(names))
    this.#axes = new Int32Array(axes)
    this.ways = ways
    this.length = this.#axes.length / ways
    if (!(Number.isInteger(ways) && ways > 0 && Number.isInteger(this.length)))
      throw invalid('a list of marginals has so many attributes for each')
    if (!this.#names.every((name) => typeof name === 'string') || new Set(this.#names).size < this.#names.length)
      throw invalid('the attributes of a list of marginals have names, each of its own')
    for (let i = 0; i < this.#axes.length; i++)
      if (!(this.#axes[i]! >= 0 && this.#axes[i]! < this.#names.length)) throw invalid('a marginal lacks an attribute')
    this.#groupings = this.#names.map((attribute) => Object.freeze({ attribute }))
    Object.freeze(this)
  }

  /** A list of one's own, whatever the other's methods would say; undefined for anything that is no such list. */
  static copyOf(value: object): MarginalList | undefined {
    return #axes in value ? new MarginalList(value.#names, value.ways, value.#axes) : undefined
  }

  get names(): readonly string[] {
    return this.#names
  }

  /** The attribute on an axis of a marginal: a position among the names. */
  axis(place: number, axis: number): number {
    return this.#axes[place * this.ways + axis]!
  }

  at(place: number): LinearQuery | undefined {
    if (!(place >= 0 && place < this.length)) return undefined
    const by = Array.from({ length: this.ways }, (_, axis) => this.#groupings[this.axis(place, axis)]!)
    return { by, terms: countAll.terms, step: countAll.step }
  }

  *[Symbol.iterator](): Iterator<LinearQuery> {
    for (let place = 0; place < this.length; place++) yield this.at(place)!
  }

  /** Those for which this holds, in their order; itself where it holds for all. */
  filter(holds: (place: number) => boolean): MarginalList {
    let first = 0
    while (first < this.length && holds(first)) first++
    if (first === this.length) return this
    const kept = Array.from({ length: first }, (_, place) => place)
    for (let place = first + 1; place < this.length; place++) if (holds(place)) kept.push(place)
    const axes = kept.flatMap((place) => Array.from({ length: this.ways }, (_, axis) => this.axis(place, axis)))
    return new MarginalList(this.#names, this.ways, axes)
  }

  /** Throws unless each is well formed over the universe: as checkQuery, for all at once. */
  check(universe: Universe): void {
    const starts = this.starts(universe)
    for (let place = 0; place < this.length; place++) {
      for (let i = 1; i < this.ways; i++)
        for (let j = 0; j < i; j++)
          if (this.axis(place, i) === this.axis(place, j))
            throw invalid(`${this.#names[this.axis(place, i)]} is grouped by twice`)
      if (starts[place + 1]! - starts[place]! > maxAnswerSize)
        throw invalid(`the answer would have more than ${maxAnswerSize} cells`)
    }
  }

  /** Where the answers to each begin when all stand one after the other, and where the last ones end: for reading only. */
  starts(universe: Universe): Float64Array {
    if (this.#latest?.universe !== universe) this.#latest = { universe, starts: this.#startsOver(universe) }
    return this.#latest.starts
  }

  #startsOver(universe: Universe): Float64Array {
    const sizes = Float64Array.from(this.#names, (name) => attributeNamed(universe, name).size)
    const starts = new Float64Array(this.length + 1)
    for (let place = 0; place < this.length; place++) {
      let cells = 1
      for (let axis = 0; axis < this.ways; axis++) cells *= sizes[this.axis(place, axis)]!
      starts[place + 1] = starts[place]! + cells
    }
    return starts
  }
}
