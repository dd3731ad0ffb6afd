import type { Universe } from '../../../schema/index.ts'
import { type Column, reachOf, tableOf } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { type Rounded, unit, unitsOf } from '../rounding.ts'
import { centre, forEachRun, spread, subsetsOf } from './centre.ts'
import { Inverses, type KnownComponent } from './inverses.ts'

/** A full marginal: noisy counts, each with the same variance. */
export interface Marginal {
  /** Places of its attributes in the universe, ascending; none with a single code. */
  readonly attributes: readonly number[]
  /** The last attribute runs fastest. */
  readonly values: Float64Array
  readonly variance: number
}

/**
 * What the marginals say about the component B of the data: the part of the counts that depends on the attributes of B
 * and on no fewer. All in units in which the size of the universe is divided out, so that 2^1000 cells do no harm: the
 * counts are taken as a function D on cells with mean n.
 */
interface Component extends KnownComponent {
  /** Σ over marginals A ⊇ B of 1/(variance · cells of A): the component's precision; Infinity for a public count. */
  precision: number
  /** precision · D_B without the last code of each axis, which follows from the others. */
  readonly table: Float64Array
  /**
   * Rounding errors of the table's numbers: on average over the marginals' cells, and at most. What was centred has those
   * of the counts before, not of the small differences that are left.
   */
  readonly rounding: { mean: number; most: number }
}

/**
 * Best linear unbiased estimates from full marginals with white noise, one component at a time: time linear in cells. All
 * marginals' normal matrices commute, so what they say about the part of the counts that depends on the attributes of B, and
 * on no fewer, is a weighted mean of their own parts: docs/algorithms/blue.md, section 1. This is the room's main file:
 * `covariance.ts` has what they leave uncertain, `marginal-weights.ts` what each noisy cell weighs in an estimate.
 */
export class Components extends Inverses<Component> {
  readonly #universe: Universe
  #publicCount: number | undefined

  constructor(universe: Universe) {
    super()
    this.#universe = universe
  }

  /** Says the number of records exactly. */
  publish(count: number): void {
    this.#publicCount = count
    const component = this.componentOf([])
    component.precision = Number.POSITIVE_INFINITY
  }

  add({ attributes, values, variance }: Marginal): void {
    const sizes = this.#sizes(attributes)
    const table = values.slice()
    centre(table, sizes)
    // Once for centring along these axes, once for the sums over what comes of it.
    const units = 2 * sizes.reduce((sum, n) => sum + unitsOf(n), 0) + unitsOf(1)
    const { mean, most } = sizeOf(values)
    for (const inside of subsetsOf(attributes.length)) {
      const component = this.componentOf(attributes.filter((_, i) => inside[i]))
      component.precision += 1 / variance / values.length
      component.rounding.mean += (units * unit * mean) / variance
      component.rounding.most += (units * unit * most) / variance
      let next = 0
      forEachRun(sizes, inside, (from, to) => {
        for (let at = from; at < to; at++) component.table[next++]! += table[at]! / variance
      })
    }
  }

  /** Is everything that is known known exactly? */
  get isSure(): boolean {
    return this.byKey.values().every(({ precision }) => precision === Number.POSITIVE_INFINITY)
  }

  /** Identifies the set of components that are known: equal texts, equal sets. */
  get signature(): string {
    // The empty component's key is the empty text: the number of keys counts too.
    return JSON.stringify([...this.byKey.keys()].sort())
  }

  /** The estimate of the query's part in the known components, in steps. */
  estimate(query: Weights): Rounded {
    let [value, rounding] = [0, 0]
    if (this.isEmpty) return { value, rounding }
    for (const term of query.terms) {
      const part = this.#estimateTerm(term)
      value += term.coefficient * part.value
      rounding += Math.abs(term.coefficient) * part.rounding
    }
    return { value, rounding }
  }

  #estimateTerm({ attributes, columns }: WeightTerm): Rounded {
    let [value, rounding] = [0, 0]
    for (const { inside } of this.within(attributes)) {
      const component = this.byKey.get(attributes.filter((_, i) => inside[i]).join())!
      const rest = columns.reduce((product, { mean }, i) => product * (inside[i] ? 1 : mean), 1)
      if (rest === 0) continue
      const own = columns.filter((_, i) => inside[i])
      value += rest * this.#contract(component, own)
      rounding += Math.abs(rest) * this.#roundingOf(component, own)
    }
    return { value, rounding }
  }

  /** Mean over the codes of Π g · D_B. Along each axis Σ g·D = Σ (g - g(last))·D over all codes but the last. */
  #contract(component: Component, columns: readonly Column[]): number {
    if (component.precision === Number.POSITIVE_INFINITY) return this.#publicCount!
    let table = component.table
    for (const column of columns.toReversed()) table = contractLast(table, column)
    return table[0]! / component.precision
  }

  /** Of what `#contract` gives: Σ |g - g(last)|·(errors of D), where the largest of either is taken out of the sum. */
  #roundingOf({ precision, rounding }: Component, columns: readonly Column[]): number {
    if (precision === Number.POSITIVE_INFINITY) return unitsOf(1) * unit * Math.abs(this.#publicCount!)
    let [most, sum] = [1, 1]
    for (const column of columns) {
      const reach = reachOf(column)
      // A difference of means has up to twice their errors.
      most *= 2 * reach.most
      sum *= (2 * reach.sum) / column.size
    }
    return Math.min(most * rounding.mean, sum * rounding.most) / precision
  }

  /** Estimated counts of a marginal, all of whose components must be known. */
  marginal(attributes: readonly number[]): Float64Array {
    const sizes = this.#sizes(attributes)
    const cells = sizes.reduce((product, n) => product * n, 1)
    const table = new Float64Array(cells)
    for (const { inside } of this.within(attributes)) {
      const { table: part, precision } = this.byKey.get(attributes.filter((_, i) => inside[i]).join())!
      const isPublic = precision === Number.POSITIVE_INFINITY
      let next = 0
      forEachRun(sizes, inside, (from, to) => {
        for (let at = from; at < to; at++)
          table[at] = (isPublic ? this.#publicCount! : part[next++]! / precision) / cells
      })
    }
    spread(table, sizes)
    return table
  }

  #sizes(attributes: readonly number[]): number[] {
    return attributes.map((place) => this.#universe.attributes[place]!.size)
  }

  protected made(attributes: readonly number[]): Component {
    const length = this.#sizes(attributes).reduce((product, n) => product * (n - 1), 1)
    return { attributes, precision: 0, table: new Float64Array(length), rounding: { mean: 0, most: 0 } }
  }

  protected inverse({ precision }: Component): number {
    return 1 / precision
  }
}

/** Bounds of the mean and of the largest size, from the squares: this loop runs over every noisy number of a cold history. */
function sizeOf(values: Float64Array): { mean: number; most: number } {
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += values[i]! * values[i]!
  return { mean: Math.sqrt(squares / values.length), most: Math.sqrt(squares) }
}

/** Along the last axis Σ (g - g(last))·D over all codes but the last, and divided by the number of codes. */
function contractLast(table: Float64Array, column: Column): Float64Array {
  const { size } = column
  const rows = table.length / (size - 1)
  const result = new Float64Array(rows)
  if (column.interval) {
    // Of a range that holds the last code, the other codes count, with -1.
    const isLast = column.to === size - 1
    const [from, to] = isLast ? [0, column.from - 1] : [column.from, column.to]
    for (let row = 0; row < rows; row++) {
      let sum = 0
      for (let at = row * (size - 1) + from, end = row * (size - 1) + to; at <= end; at++) sum += table[at]!
      result[row] = (isLast ? -sum : sum) / size
    }
    return result
  }
  const g = tableOf(column)
  const last = g[size - 1]!
  for (let row = 0, at = 0; row < rows; row++) {
    let sum = 0
    for (let code = 0; code < size - 1; code++, at++) sum += (g[code]! - last) * table[at]!
    result[row] = sum / size
  }
  return result
}
