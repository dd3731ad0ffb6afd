import { subtractProducts } from '../../numeric/index.ts'
import type { Universe } from '../../schema/index.ts'
import { subsetsOf } from './centre.ts'
import { type Classes, classesOf } from './classes.ts'
import { type Column, tableOf } from './column.ts'
import type { Weights, WeightTerm } from './compile.ts'
import type { Components } from './components.ts'
import { kept } from './kept.ts'

/** Equal coefficients of noisy cells, and how many cells have them. */
export interface CellWeights {
  readonly coefficients: Float64Array
  readonly counts: Float64Array
}

/** A combination Σ times·query. */
export type Combination = readonly { readonly weights: Weights; readonly times: number }[]

/**
 * The coefficients of noisy cells in the marginals' estimate of a combination of queries. On a marginal over A with
 * variance v a cell a has (1/(v·cells of A)) · Σ_{B⊆A} (P_B q)(a)/precision_B. Cells that no factor tells apart have
 * the same, so an indicator gives at most 2^|A| different ones.
 */
export class MarginalWeights {
  readonly #universe: Universe
  readonly #components: Components
  readonly #terms: { readonly term: WeightTerm; readonly times: number }[]
  readonly #classes = new Map<number, Classes>()
  readonly #parts = new Map<string, Float64Array>()

  constructor(universe: Universe, components: Components, combination: Combination) {
    this.#universe = universe
    this.#components = components
    this.#terms = combination.flatMap(({ weights, times }) =>
      times === 0 ? [] : weights.terms.map((term) => ({ term, times: times * term.coefficient })),
    )
  }

  /** For a marginal over these attributes; one entry per combination of classes. */
  of(attributes: readonly number[], variance: number): CellWeights {
    const classes = attributes.map((place) => this.#classesOf(place))
    const sizes = classes.map(({ codes }) => codes.length)
    const length = sizes.reduce((product, n) => product * n, 1)
    const cells = attributes.reduce((product, place) => product * this.#universe.attributes[place]!.size, 1)
    const coefficients = new Float64Array(length)
    for (const inside of subsetsOf(attributes.length)) {
      const part = this.#part(attributes.filter((_, i) => inside[i]))
      if (part) spreadOver(coefficients, part, sizes, inside, 1 / variance / cells)
    }
    const counts = classes.reduce((product, next) => outer(product, next.counts), Float64Array.of(1))
    return { coefficients, counts }
  }

  #classesOf(place: number): Classes {
    return kept(this.#classes, place, () => {
      const columns = this.#terms.flatMap(({ term }) => term.columns.filter((_, i) => term.attributes[i] === place))
      return classesOf(columns, this.#universe.attributes[place]!.size)
    })
  }

  /** P_B q / precision_B over the classes of B; undefined where it is 0. */
  #part(attributes: readonly number[]): Float64Array | undefined {
    const key = attributes.join()
    const made = this.#parts.get(key)
    if (made) return made
    const inverse = this.#components.inverseOf(attributes)
    const terms = this.#terms.filter(({ term }) => attributes.every((place) => term.attributes.includes(place)))
    if (!inverse || terms.length === 0) return undefined
    const part = this.#sum(attributes, terms, inverse)
    this.#parts.set(key, part)
    return part
  }

  /** Σ over terms of times · Π means outside B · Π (g - mean) inside: a product of two matrices, one row per class. */
  #sum(attributes: readonly number[], terms: readonly { term: WeightTerm; times: number }[], inverse: number) {
    const scales = Float64Array.from(terms, ({ term, times }) =>
      term.columns.reduce(
        (product, { mean }, i) => product * (attributes.includes(term.attributes[i]!) ? 1 : mean),
        -times * inverse,
      ),
    )
    let rows: Float64Array[] = [scales]
    let last: Float64Array[] = [new Float64Array(terms.length).fill(1)]
    attributes.forEach((place, axis) => {
      const centred = this.#centred(place, terms)
      if (axis === attributes.length - 1) last = centred
      else rows = rows.flatMap((row) => centred.map((factor) => row.map((value, t) => value * factor[t]!)))
    })
    const part = new Float64Array(rows.length * last.length)
    const target = rows.map((_, i) => part.subarray(i * last.length, (i + 1) * last.length))
    subtractProducts(target, rows, last)
    return part
  }

  /** One row per class: g - mean for every term. */
  #centred(place: number, terms: readonly { term: WeightTerm }[]): Float64Array[] {
    const { codes } = this.#classesOf(place)
    const columns = terms.map(({ term }): Column => term.columns[term.attributes.indexOf(place)]!)
    const rows = Array.from(codes, () => new Float64Array(terms.length))
    columns.forEach((column, t) => {
      const table = tableOf(column)
      for (let k = 0; k < rows.length; k++) rows[k]![t] = table[codes[k]!]! - column.mean
    })
    return rows
  }
}

/** target += scale·part, the same along the axes that part does not have. */
function spreadOver(
  target: Float64Array,
  part: Float64Array,
  sizes: readonly number[],
  inside: readonly boolean[],
  scale: number,
): void {
  const last = sizes.length - 1
  const walk = (axis: number, at: number, from: number): void => {
    const n = sizes[axis]!
    if (axis < last)
      for (let code = 0; code < n; code++) walk(axis + 1, at * n + code, inside[axis] ? from * n + code : from)
    else if (inside[last]) for (let code = 0; code < n; code++) target[at * n + code]! += scale * part[from * n + code]!
    else for (let code = 0; code < n; code++) target[at * n + code]! += scale * part[from]!
  }
  if (sizes.length > 0) walk(0, 0, 0)
  else target[0]! += scale * part[0]!
}

/** All products of an entry of one with an entry of the other. */
function outer(x: Float64Array<ArrayBuffer>, y: Float64Array): Float64Array<ArrayBuffer> {
  const product = new Float64Array(x.length * y.length)
  for (let i = 0, at = 0; i < x.length; i++) for (let j = 0; j < y.length; j++) product[at++] = x[i]! * y[j]!
  return product
}
