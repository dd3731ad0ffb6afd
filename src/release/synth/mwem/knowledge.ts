import { type AnswerSheet, type NoisyAnswer, queryTable } from '../../../model/index.ts'
import { type LinearQuery, MarginalList, marginalOver, queryKey } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'

/** How precisely noisy answers tell other queries, by themselves; from public numbers alone. */
export class Knowledge {
  readonly #sheet: AnswerSheet
  readonly #universe: Universe
  readonly #variances: Float64Array
  /** Those that look at no attribute: every marginal tells them. */
  readonly #totals: readonly number[]
  readonly #keys: Map<string, number>
  readonly #spreads: (number | undefined)[] = []

  constructor(sheet: AnswerSheet, universe: Universe) {
    this.#sheet = sheet
    this.#universe = universe
    this.#variances = new Float64Array(sheet.queries.length).fill(Infinity)
    this.#totals = sheet.queries instanceof MarginalList ? [] : totalsOf(sheet)
    this.#keys = new Map()
  }

  /** The variance of the most precise single answer that tells each query of the sheet. */
  get variances(): Float64Array {
    return this.#variances
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
    const { attributesOf, placesOf } = this.#sheet
    const tell = (place: number) =>
      this.answered(place, ((variance * cells) / this.#cellsOf(attributesOf(place))) * this.#spread(place))
    for (const place of this.#totals) tell(place)
    const set: number[] = []
    for (const a of over)
      for (const place of placesOf[a]!) {
        attributesOf(place, set)
        if (set[0] === a && set.every((other) => over.has(other))) tell(place)
      }
  }

  /** What the variance of an answer is if each cell that it looks at has one of 1: the sum of its squared weights. */
  #spread(place: number): number {
    if (this.#sheet.isMarginal[place]) return 1
    const known = this.#spreads[place]
    if (known !== undefined) return known
    const { weight, place: answer, answers } = queryTable(this.#sheet.queries.at(place)!, this.#universe)
    const sums = new Float64Array(answers)
    if (weight) for (let i = 0; i < weight.length; i++) sums[answer![i]!]! += weight[i]! ** 2
    const spread = weight ? sums.reduce((a, b) => Math.max(a, b), 0) : 1
    this.#spreads[place] = spread
    return spread
  }

  #cellsOf(attributes: readonly number[]): number {
    return attributes.reduce((cells, a) => cells * this.#universe.attributes[a]!.size, 1)
  }
  /** Asked for what is no marginal. */
  #placeOf(query: LinearQuery): number | undefined {
    const { queries } = this.#sheet
    if (queries instanceof MarginalList) return undefined
    if (this.#keys.size === 0) for (const [i, other] of [...queries].entries()) this.#keys.set(queryKey(other), i)
    return this.#keys.get(queryKey(query))
  }
}

const totalsOf = ({ queries, attributesOf }: AnswerSheet): number[] =>
  [...Array(queries.length).keys()].filter((place) => attributesOf(place).length === 0)
