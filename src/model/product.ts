import { outer, sum } from '../numeric/index.ts'
import { answerSize, factorTable, type Grouping, groupOf, type LinearQuery } from '../query/index.ts'
import type { Universe } from '../schema/index.ts'
import { Ladder, stepsAt } from './rows/ladder.ts'
import { quickRandom, shuffle } from './rows/quick-random.ts'
import type { ModelJson, Rows, Sampling, TableModel } from './table-model.ts'

/** Independent attributes: the distribution is the product of one per attribute. */
export class ProductModel implements TableModel {
  readonly universe: Universe
  readonly records: number
  /** Per attribute, the share of each code. */
  readonly #shares: readonly Float64Array[]

  /** `tables`: a number per code of each attribute, none negative, not all 0. */
  constructor(universe: Universe, records: number, tables: readonly ArrayLike<number>[]) {
    this.universe = universe
    this.records = records
    this.#shares = tables.map((table) => {
      const values = Float64Array.from(table)
      const total = sum(values)
      return values.map((value) => value / total)
    })
  }

  marginal(attributes: readonly number[]): Float64Array {
    return products(
      attributes.map((a) => this.#shares[a]!),
      this.records,
    )
  }

  answers(query: LinearQuery): Float64Array {
    const answers = new Float64Array(answerSize(query, this.universe))
    const grouped = new Set(query.by.map(({ attribute }) => attribute))
    for (const { coefficient, factors } of query.terms) {
      const weighted = (name: string) => this.#weighted(name, factors[name])
      const others = Object.keys(factors).filter((name) => !grouped.has(name))
      const scale = others.reduce((product, name) => product * sum(weighted(name)), coefficient * this.records)
      const axes = query.by.map((grouping) => groupSums(weighted(grouping.attribute), grouping))
      const term = products(axes, scale)
      for (let i = 0; i < answers.length; i++) answers[i]! += term[i]!
    }
    return answers
  }

  /** Every attribute has the shares that it should have, as nearly as whole numbers can, and an order of its own. */
  rows(count: number, random: () => number, sampling: Sampling = 'rounded'): Rows {
    const words = quickRandom(random)
    if (sampling === 'independent') return this.#shares.map((shares) => new Ladder(shares).draws(count, words))
    return this.#shares.map((shares) => {
      const start = random()
      // Those at equal steps along the shares: each code as often as its share says, up to one.
      const codes = stepsAt(shares, count, (i) => (i + start) / count)
      shuffle(codes, 0, count, words)
      return codes
    })
  }

  toJson(): ModelJson {
    return { kind: 'product', records: this.records, shares: this.#shares.map((shares) => [...shares]) }
  }

  #weighted(name: string, factor: LinearQuery['terms'][0]['factors'][string] | undefined): Float64Array {
    const shares = this.#shares[this.universe.index.get(name)!]!
    if (!factor) return shares
    const table = factorTable(factor, shares.length)
    return shares.map((share, code) => share * table[code]!)
  }
}

function groupSums(values: Float64Array, grouping: Grouping): Float64Array {
  if (!grouping.groups) return values
  const sums = new Float64Array(grouping.groups.length)
  for (let code = 0; code < values.length; code++) {
    const group = groupOf(grouping, code)
    if (group >= 0) sums[group]! += values[code]!
  }
  return sums
}

/** Every product of one number per axis, times a number; the last axis runs fastest. */
const products = (axes: readonly Float64Array[], scale: number): Float64Array =>
  axes.reduce(outer, Float64Array.of(scale))
