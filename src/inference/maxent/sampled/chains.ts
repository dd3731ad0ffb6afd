import { ProductModel, type Rows } from '../../../model/index.ts'
import type { MaxentProblem } from '../problem.ts'
import { addMeans, potential, type Scope } from '../scope.ts'
import { Conditionals, type View } from './conditionals.ts'
import { WideWeights } from './wide-weights.ts'

/**
 * Many Markov chains side by side, each a record: their states are a sample of p_w once they have mixed, and a synthetic
 * table. A sweep draws every attribute of every record anew, given the others (Gibbs sampling).
 */
export class Chains {
  readonly count: number
  readonly #problem: MaxentProblem
  readonly #conditionals: Conditionals
  readonly #wide: WideWeights | undefined
  /** Record after record. */
  readonly #codes: Int32Array
  readonly #width: number
  readonly #random: () => number
  /** Scratch: shares of an attribute's codes, and where the rows of its views begin. */
  readonly #row: Float64Array
  readonly #starts: Int32Array
  readonly #cellsOf = new Map<Scope, Int32Array>()

  /** They begin as independent draws from the prior. `random`: uniform on [0, 1), asked often. */
  constructor(problem: MaxentProblem, count: number, random: () => number) {
    const { universe, prior } = problem
    this.count = count
    this.#problem = problem
    this.#random = random
    this.#conditionals = new Conditionals(problem)
    this.#wide = problem.wide.length > 0 ? new WideWeights(problem) : undefined
    this.#width = universe.attributes.length
    this.#codes = new Int32Array(count * this.#width)
    this.#row = new Float64Array(Math.max(1, ...universe.attributes.map(({ size }) => size)))
    this.#starts = new Int32Array(Math.max(1, ...this.#conditionals.views.map((views) => views.length)))
    const start = new ProductModel(universe, count, prior).rows(count, random)
    for (const [a, column] of start.entries())
      for (let r = 0; r < count; r++) this.#codes[r * this.#width + a] = column[r]!
  }

  setWeights(w: Float64Array): void {
    this.#conditionals.update(w)
    this.#wide?.update(w)
  }

  /** Attributes that no feature looks at stay as they were drawn. */
  sweep(): void {
    const { views } = this.#conditionals
    const wide = this.#wide
    this.#cellsOf.clear()
    const active = [...views.keys()].filter((a) => views[a]!.length > 0 || wide?.looksAt(a))
    for (let r = 0; r < this.count; r++)
      for (let i = 0; i < active.length; i++) this.#draw(r * this.#width, active[i]!, views[active[i]!]!)
  }

  #draw(at: number, attribute: number, views: readonly View[]): void {
    const [row, codes] = [this.#row, this.#codes]
    const prior = this.#problem.prior[attribute]!
    const size = prior.length
    this.#multiply(at, prior, views)
    this.#wide?.multiply(row, size, attribute, codes, at)
    let sum = 0
    for (let v = 0; v < size; v++) sum += row[v]!
    // Where everything is all but impossible the chain stays.
    if (!(sum > 0)) return
    let left = this.#random() * sum
    let v = 0
    while (v < size - 1 && left >= row[v]!) left -= row[v++]!
    codes[at + attribute] = v
  }

  /** The prior times the row of every view, four at a time: most of the work of a sweep is here. */
  #multiply(at: number, prior: Float64Array, views: readonly View[]): void {
    const [row, codes, starts] = [this.#row, this.#codes, this.#starts]
    const { factors } = this.#conditionals
    const size = prior.length
    for (let i = 0; i < views.length; i++) {
      const { start, others, steps } = views[i]!
      let from = start
      for (let j = 0; j < others.length; j++) from += codes[at + others[j]!]! * steps[j]!
      starts[i] = from
    }
    for (let v = 0; v < size; v++) row[v] = prior[v]!
    let i = 0
    for (; i + 4 <= views.length; i += 4) {
      const [a, b, c, d] = [starts[i]!, starts[i + 1]!, starts[i + 2]!, starts[i + 3]!]
      for (let v = 0; v < size; v++) row[v]! *= factors[a + v]! * factors[b + v]! * factors[c + v]! * factors[d + v]!
    }
    for (; i < views.length; i++) {
      const from = starts[i]!
      for (let v = 0; v < size; v++) row[v]! *= factors[from + v]!
    }
  }

  /** Writes the means of all features over the chains; or Σ weight·feature, where every chain has a weight. */
  means(into: Float64Array, weights?: Float64Array): void {
    const codes = this.#codes
    for (const scope of this.#problem.scopes) {
      const shares = new Float64Array(scope.cells)
      const cellOf = this.#cells(scope)
      for (let r = 0; r < this.count; r++) shares[cellOf[r]!]! += weights ? weights[r]! : 1
      if (!weights) for (let i = 0; i < shares.length; i++) shares[i]! /= this.count
      addMeans(scope, shares, into)
    }
    this.#wide?.means(codes, this.#width, into, weights)
  }

  /** Writes Cov(f)·v, the covariance being that of the chains' states. */
  covarianceTimes(v: Float64Array, into: Float64Array): void {
    this.means(
      into,
      this.#scores(v).map((score) => score / this.count),
    )
  }

  /** The standard deviation of v·f over the chains' states. */
  spreadOf(v: Float64Array): number {
    return Math.sqrt(this.#scores(v).reduce((sum, score) => sum + score * score, 0) / this.count)
  }

  /** v·f of every chain, less their mean. */
  #scores(v: Float64Array): Float64Array {
    const scores = new Float64Array(this.count)
    for (const scope of this.#problem.scopes) {
      const theta = potential(scope, v)
      const cellOf = this.#cells(scope)
      for (let r = 0; r < this.count; r++) scores[r]! += theta[cellOf[r]!]!
    }
    this.#wide?.addScores(this.#codes, this.#width, v, scores)
    const mean = scores.reduce((sum, score) => sum + score, 0) / this.count
    return scores.map((score) => score - mean)
  }

  /** The cell of every chain in a scope; kept until the chains move. */
  #cells(scope: Scope): Int32Array {
    const known = this.#cellsOf.get(scope)
    if (known) return known
    const { attributes } = scope
    const [codes, width, cells] = [this.#codes, this.#width, new Int32Array(this.count)]
    this.#cellsOf.set(scope, cells)
    const last = attributes.length - 1
    const sizes = attributes.map((a) => this.#problem.universe.attributes[a]!.size)
    for (let r = 0, at = 0; r < this.count; r++, at += width) {
      let cell = codes[at + attributes[0]!]!
      for (let i = 1; i <= last; i++) cell = cell * sizes[i]! + codes[at + attributes[i]!]!
      cells[r] = cell
    }
    return cells
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
