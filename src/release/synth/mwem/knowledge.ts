import { type LinearQuery, marginalOver, queryKey } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { queryTable } from '../model/dense/query-table.ts'
import type { AnswerSheet, NoisyAnswer } from './fitted-model.ts'

/** How precisely noisy answers tell other queries, by themselves; from public numbers alone. */
export class Knowledge {
  readonly #sheet: AnswerSheet
  readonly #universe: Universe
  readonly #variances: Float64Array
  readonly #keys: Map<string, number>
  readonly #spreads: (number | undefined)[] = []

  constructor(sheet: AnswerSheet, universe: Universe) {
    this.#sheet = sheet
    this.#universe = universe
    this.#variances = new Float64Array(sheet.queries.length).fill(Infinity)
    this.#keys = new Map()
  }

  /** The variance of the most precise single answer that tells a query of the sheet. */
  variance(place: number): number {
    return this.#variances[place]!
  }

  /** An answer to a query of the sheet. */
  answered(place: number, variance: number): void {
    this.#variances[place] = Math.min(this.#variances[place]!, variance)
  }

  /** An answer to any query: it tells itself and, where it is a full marginal, all that look at no other attributes. */
  learn({ query, variance }: NoisyAnswer): void {
    const over = marginalOver(query)?.map((name) => this.#universe.index.get(name)!)
    if (over) this.#learnMarginal(new Set(over), variance)
    else {
      const place = this.#placeOf(query)
      if (place !== undefined) this.answered(place, variance)
    }
  }

  #learnMarginal(over: ReadonlySet<number>, variance: number): void {
    const cells = this.#cellsOf([...over])
    const sets = this.#sheet.attributes
    for (let place = 0; place < sets.length; place++) {
      const set = sets[place]!
      let isTold = true
      for (let i = 0; isTold && i < set.length; i++) isTold = over.has(set[i]!)
      if (isTold) this.answered(place, ((variance * cells) / this.#cellsOf(set)) * this.#spread(place))
    }
  }

  /** What the variance of an answer is if each cell that it looks at has one of 1: the sum of its squared weights. */
  #spread(place: number): number {
    const known = this.#spreads[place]
    if (known !== undefined) return known
    const { weight, place: answer, answers } = queryTable(this.#sheet.queries[place]!, this.#universe)
    const sums = new Float64Array(answers)
    if (weight) for (let i = 0; i < weight.length; i++) sums[answer![i]!]! += weight[i]! ** 2
    const spread = weight ? sums.reduce((a, b) => Math.max(a, b), 0) : 1
    this.#spreads[place] = spread
    return spread
  }

  #cellsOf(attributes: readonly number[]): number {
    return attributes.reduce((cells, a) => cells * this.#universe.attributes[a]!.size, 1)
  }
  #placeOf(query: LinearQuery): number | undefined {
    if (this.#keys.size === 0)
      for (const [i, other] of this.#sheet.queries.entries()) this.#keys.set(queryKey(other), i)
    return this.#keys.get(queryKey(query))
  }
}
