import { ProductModel, type Rows } from '../../../model/index.ts'
import type { MaxentProblem } from '../problem.ts'
import { Conditionals, type View } from './conditionals.ts'
import { ScopeSums } from './scope-sums.ts'
import { WideWeights } from './wide-weights.ts'

/**
 * Many Markov chains side by side, each a record: their states are a sample of p_w once they have mixed, and a synthetic
 * table. A sweep draws every attribute of every record anew, given the others (Gibbs sampling).
 */
export class Chains {
  readonly count: number
  readonly #conditionals: Conditionals
  readonly #wide: WideWeights | undefined
  /** Record after record. */
  readonly #codes: Int32Array
  readonly #width: number
  readonly #random: () => number
  /** Scratch: shares of an attribute's codes, and where the rows of its views begin. */
  readonly #row: Float64Array
  readonly #starts: Int32Array
  readonly #sums: ScopeSums
  /** The same weight for every chain. */
  readonly #alike: Float64Array

  /** They begin where others are, or as independent draws from the prior. `random`: uniform on [0, 1), asked often. */
  constructor(problem: MaxentProblem, count: number, random: () => number, others: readonly Chains[] = []) {
    const { universe, prior } = problem
    this.count = count
    this.#random = random
    this.#conditionals = new Conditionals(problem)
    this.#wide = problem.wide.length > 0 ? new WideWeights(problem) : undefined
    this.#width = universe.attributes.length
    this.#codes = new Int32Array(count * this.#width)
    this.#row = new Float64Array(Math.max(1, ...universe.attributes.map(({ size }) => size)))
    const mostViews = Math.max(...this.#conditionals.views.map((views) => views.length))
    this.#starts = new Int32Array(4 * Math.max(1, Math.ceil(mostViews / 4)))
    this.#sums = new ScopeSums(problem.scopes, universe, count)
    this.#alike = new Float64Array(count).fill(1 / count)
    if (others.length > 0) this.#join(others)
    else this.#take(new ProductModel(universe, count, prior).rows(count, random))
    this.#sums.moveTo(this.#codes, this.#width)
  }

  #take(rows: Rows): void {
    for (const [a, column] of rows.entries())
      for (let r = 0; r < this.count; r++) this.#codes[r * this.#width + a] = column[r]!
  }

  /** One of each of the others in turn, each as often as it takes. */
  #join(others: readonly Chains[]): void {
    const width = this.#width
    for (let r = 0; r < this.count; r++) {
      const other = others[r % others.length]!
      const from = (Math.floor(r / others.length) % other.count) * width
      for (let a = 0; a < width; a++) this.#codes[r * width + a] = other.#codes[from + a]!
    }
  }

  setWeights(w: Float64Array): void {
    this.#conditionals.update(w)
    this.#wide?.update(w)
  }

  /** Attributes that no feature looks at stay as they were drawn. */
  sweep(): void {
    const { views } = this.#conditionals
    const wide = this.#wide
    const active = [...views.keys()].filter((a) => this.#conditionals.isActive[a] || wide?.looksAt(a))
    for (let r = 0; r < this.count; r++)
      for (let i = 0; i < active.length; i++) this.#draw(r * this.#width, active[i]!, views[active[i]!]!)
    this.#sums.moveTo(this.#codes, this.#width)
  }

  #draw(at: number, attribute: number, views: readonly View[]): void {
    const [row, codes] = [this.#row, this.#codes]
    const size = this.#conditionals.own[attribute]!.length
    let sum = this.#multiply(at, attribute, views)
    if (this.#wide?.looksAt(attribute)) {
      this.#wide.multiply(row, size, attribute, codes, at)
      sum = 0
      for (let v = 0; v < size; v++) sum += row[v]!
    }
    // Where everything is all but impossible the chain stays.
    if (!(sum > 0)) return
    let left = this.#random() * sum
    let v = 0
    while (v < size - 1 && left >= row[v]!) left -= row[v++]!
    codes[at + attribute] = v
  }

  /**
   * The attribute's own shares times the row of every view, four at a time, and what they add up to: most of the work of a sweep is here.
   * Where fewer than four views are left, a row of ones stands in.
   */
  #multiply(at: number, attribute: number, views: readonly View[]): number {
    const [row, codes, starts] = [this.#row, this.#codes, this.#starts]
    const { factors, ones, own } = this.#conditionals
    for (let i = 0; i < views.length; i++) {
      const { start, others, steps } = views[i]!
      let from = start
      for (let j = 0; j < others.length; j++) from += codes[at + others[j]!]! * steps[j]!
      starts[i] = from
    }
    starts.fill(ones, views.length)
    let [before, sum] = [own[attribute]!, 0]
    for (let i = 0; i === 0 || i < views.length; i += 4) {
      const [a, b, c, d] = [starts[i]!, starts[i + 1]!, starts[i + 2]!, starts[i + 3]!]
      sum = 0
      for (let v = 0; v < own[attribute]!.length; v++) {
        const share = before[v]! * (factors[a + v]! * factors[b + v]! * factors[c + v]! * factors[d + v]!)
        row[v] = share
        sum += share
      }
      before = row
    }
    return sum
  }

  /** Writes the means of all features over the chains; or Σ weight·feature, where every chain has a weight. */
  means(into: Float64Array, weights: Float64Array = this.#alike): void {
    this.#sums.means(weights, into)
    this.#wide?.means(this.#codes, this.#width, into, weights)
  }

  /** w·f of every chain. */
  scores(w: Float64Array): Float64Array {
    const scores = new Float64Array(this.count)
    this.#sums.addScores(w, scores)
    this.#wide?.addScores(this.#codes, this.#width, w, scores)
    return scores
  }

  emptyRows(count: number): Rows {
    return Array.from({ length: this.#width }, () => new Int32Array(count))
  }

  /** Writes their states as records of a table, from row `first` on. */
  copyTo(rows: Rows, first: number): void {
    const count = Math.min(this.count, rows[0]!.length - first)
    for (const [a, column] of rows.entries())
      for (let r = 0; r < count; r++) column[first + r] = this.#codes[r * this.#width + a]!
  }
}

/** Their cells in all scopes are kept: fewer chains where these would fill the memory. */
const mostCellsKept = 2 ** 26
export const affordable = ({ scopes, wide }: MaxentProblem, count: number): number =>
  Math.max(1000, Math.min(count, Math.floor(mostCellsKept / (scopes.length + wide.length))))
