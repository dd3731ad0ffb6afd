import { outer, subtractProducts } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { Term } from '../../error-law/law.ts'
import { type Column, valueAt } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import { subsetsOf } from './centre.ts'
import { type Classes, ClassLists } from './classes.ts'
import type { Inverses } from './inverses.ts'
import type { Kind } from './marginal-kinds.ts'

/** Equal coefficients of noisy cells, and how many cells have them. */
interface CellWeights {
  readonly coefficients: Float64Array
  readonly counts: Float64Array
}

/**
 * What marginals have in common whose attributes in the question are the same: Σ_B (P_B q)(a)/precision_B over the
 * classes of these attributes, the codes in them, and the cells of the marginal over these attributes alone.
 */
interface Meeting extends CellWeights {
  readonly cells: number
}

/** Where one comes to by attributes of the question, one after the other. */
class Path {
  readonly next = new Map<number, Path>()
  /** Made when it is first asked for. */
  meeting: Meeting | undefined = undefined

  to(place: number): Path {
    const path = new Path()
    this.next.set(place, path)
    return path
  }
}

/** A term, so many times over. */
interface Weighted {
  readonly term: WeightTerm
  readonly times: number
}

/** Of the questions to the same components. */
const lists = new WeakMap<Inverses, ClassLists>()

/** Numbers in a matrix of classes and terms: 32 MB. */
const mostInMatrix = 2 ** 22

/** A combination Σ times·query. */
export type Combination = readonly { readonly weights: Weights; readonly times: number }[]

/**
 * The coefficients of noisy cells in the marginals' estimate of a combination of queries. On a marginal over A with
 * variance v a cell a has (1/(v·cells of A)) · Σ_{B⊆A} (P_B q)(a)/precision_B. Cells that no factor tells apart have
 * the same, so an indicator gives at most 2^|A| different ones.
 */
export class MarginalWeights {
  readonly #universe: Universe
  readonly #components: Inverses
  readonly #terms: Weighted[]
  /** By attribute: does the question look at it? */
  readonly #looks: Uint8Array
  readonly #classes = new Map<number, Classes>()
  readonly #parts = new Map<string, Float64Array>()
  readonly #paths = new Path()

  constructor(universe: Universe, components: Inverses, combination: Combination) {
    this.#universe = universe
    this.#components = components
    this.#terms = combination.flatMap(({ weights, times }) =>
      times === 0 ? [] : weights.terms.map((term) => ({ term, times: times * term.coefficient })),
    )
    this.#looks = new Uint8Array(universe.attributes.length)
    for (const { term } of this.#terms) for (const place of term.attributes) this.#looks[place] = 1
  }

  /** For a marginal over these attributes; one entry per combination of classes. */
  of(attributes: readonly number[], variance: number): CellWeights {
    const cells = this.#cellsOf(attributes)
    const { coefficients, counts, cells: shared } = this.#met(attributes)
    return {
      coefficients: coefficients.map((value) => value / variance / cells),
      counts: counts.map((count) => (count * cells) / shared),
    }
  }

  /**
   * Adds the noises of all marginals to a list; `step` is the question's. Those of one kind that meet the question in the
   * same attributes have the same coefficients, and come together.
   */
  terms(kinds: readonly Kind[], step: number, into: Term[]): void {
    for (const kind of kinds) {
      const { marginals } = kind
      if (marginals.length === 1) {
        this.#add(this.#met(marginals[0]!.attributes), 1, kind, step, into)
        continue
      }
      const counts = new Map<Meeting, number>()
      for (const { attributes } of marginals) {
        const meeting = this.#met(attributes)
        counts.set(meeting, (counts.get(meeting) ?? 0) + 1)
      }
      for (const [meeting, count] of counts) this.#add(meeting, count, kind, step, into)
    }
  }

  /** The noises of so many marginals of a kind. */
  #add({ coefficients, counts, cells: shared }: Meeting, count: number, kind: Kind, step: number, into: Term[]): void {
    const { law, variance, cells } = kind
    const perCell = step / variance / cells
    const times = (count * cells) / shared
    for (let i = 0; i < coefficients.length; i++)
      if (coefficients[i] !== 0) into.push({ law, coefficient: perCell * coefficients[i]!, count: times * counts[i]! })
  }

  #met(attributes: readonly number[]): Meeting {
    let path = this.#paths
    for (let i = 0; i < attributes.length; i++) {
      const place = attributes[i]!
      if (this.#looks[place]) path = path.next.get(place) ?? path.to(place)
    }
    path.meeting ??= this.#meeting(attributes.filter((place) => this.#looks[place]))
    return path.meeting
  }

  #meeting(attributes: readonly number[]): Meeting {
    const classes = attributes.map((place) => this.#classesOf(place))
    const sizes = classes.map(({ codes }) => codes.length)
    const coefficients = new Float64Array(sizes.reduce((product, n) => product * n, 1))
    const parts = subsetsOf(attributes.length).flatMap((inside) => {
      const part = this.#part(attributes.filter((_, i) => inside[i]))
      return part ? [{ part, inside }] : []
    })
    for (const { part, inside } of parts) spreadOver(coefficients, part, sizes, inside)
    if (this.#terms.length === 1) clearRounding(coefficients, parts, sizes)
    const counts = classes.reduce<Float64Array>((product, next) => outer(product, next.counts), Float64Array.of(1))
    return { coefficients, counts, cells: this.#cellsOf(attributes) }
  }

  #cellsOf(attributes: readonly number[]): number {
    return attributes.reduce((product, place) => product * this.#universe.attributes[place]!.size, 1)
  }

  #classesOf(place: number): Classes {
    return kept(this.#classes, place, () => {
      const columns = this.#terms.flatMap(({ term }) => term.columns.filter((_, i) => term.attributes[i] === place))
      return kept(lists, this.#components, () => new ClassLists()).of(
        place,
        columns,
        this.#universe.attributes[place]!.size,
      )
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

  /** Σ over terms of times · Π means outside B · Π (g - mean) inside, some terms at a time. */
  #sum(attributes: readonly number[], terms: readonly Weighted[], inverse: number): Float64Array {
    const sizes = attributes.map((place) => this.#classesOf(place).codes.length)
    const part = new Float64Array(sizes.reduce((product, n) => product * n, 1))
    const last = sizes.at(-1) ?? 1
    const block = Math.max(1, Math.floor(mostInMatrix / (part.length / last + last)))
    for (let from = 0; from < terms.length; from += block)
      this.#addProducts(part, attributes, terms.slice(from, from + block), inverse)
    return part
  }

  /** A product of two matrices, one row per class of the last attribute and one per combination of the others'. */
  #addProducts(part: Float64Array, attributes: readonly number[], terms: readonly Weighted[], inverse: number): void {
    const scales = new Float64Array(terms.length)
    for (let t = 0; t < terms.length; t++) {
      const { term, times } = terms[t]!
      let scale = -times * inverse
      for (let i = 0; i < term.columns.length; i++)
        if (!attributes.includes(term.attributes[i]!)) scale *= term.columns[i]!.mean
      scales[t] = scale
    }
    if (attributes.length === 1) {
      this.#addAlongOne(part, attributes[0]!, terms, scales)
      return
    }
    let rows: Float64Array[] = [scales]
    let last: Float64Array[] = [new Float64Array(terms.length).fill(1)]
    attributes.forEach((place, axis) => {
      const centred = this.#centred(place, terms)
      if (axis === attributes.length - 1) last = centred
      else rows = rows.flatMap((row) => centred.map((factor) => row.map((value, t) => value * factor[t]!)))
    })
    const target = rows.map((_, i) => part.subarray(i * last.length, (i + 1) * last.length))
    subtractProducts(target, rows, last)
  }

  /** The same along one attribute, without a matrix. */
  #addAlongOne(part: Float64Array, place: number, terms: readonly Weighted[], scales: Float64Array): void {
    const { codes } = this.#classesOf(place)
    for (let t = 0; t < terms.length; t++) {
      const { columns, attributes } = terms[t]!.term
      const column = columns[attributes.indexOf(place)]!
      const scale = -scales[t]!
      if (column.interval) addStretch(part, codes, column, scale)
      else for (let k = 0; k < part.length; k++) part[k]! += scale * (valueAt(column, codes[k]!) - column.mean)
    }
  }

  /** One row per class: g - mean for every term. */
  #centred(place: number, terms: readonly Weighted[]): Float64Array[] {
    const { codes } = this.#classesOf(place)
    const columns = terms.map(({ term }): Column => term.columns[term.attributes.indexOf(place)]!)
    const rows = Array.from(codes, () => new Float64Array(terms.length))
    columns.forEach((column, t) => {
      for (let k = 0; k < rows.length; k++) rows[k]![t] = valueAt(column, codes[k]!) - column.mean
    })
    return rows
  }
}

/** part += scale·(g - mean) for a range g: two numbers, as the classes' codes ascend. */
function addStretch(part: Float64Array, codes: Int32Array, { from, to, mean }: Column, scale: number): void {
  const [inside, outside] = [scale * (1 - mean), scale * (0 - mean)]
  let k = 0
  for (; k < part.length && codes[k]! < from; k++) part[k]! += outside
  for (; k < part.length && codes[k]! <= to; k++) part[k]! += inside
  for (; k < part.length; k++) part[k]! += outside
}

/**
 * What cancels but for rounding is 0: of a marginal that was asked for and is all there is, other cells say nothing about
 * a cell, and its error has the law of one noise. Every part is a product, right to some units of 2^-53.
 */
function clearRounding(
  sums: Float64Array,
  parts: readonly { readonly part: Float64Array; readonly inside: readonly boolean[] }[],
  sizes: readonly number[],
): void {
  const sizesOfParts = new Float64Array(sums.length)
  for (const { part, inside } of parts) spreadOver(sizesOfParts, part.map(Math.abs), sizes, inside)
  const units = parts.length + 2 * sizes.length + 4
  for (let i = 0; i < sums.length; i++) if (Math.abs(sums[i]!) <= units * 2 ** -53 * sizesOfParts[i]!) sums[i] = 0
}

/** target += part, the same along the axes that part does not have. */
function spreadOver(
  target: Float64Array,
  part: Float64Array,
  sizes: readonly number[],
  inside: readonly boolean[],
): void {
  const last = sizes.length - 1
  const walk = (axis: number, at: number, from: number): void => {
    const n = sizes[axis]!
    if (axis < last)
      for (let code = 0; code < n; code++) walk(axis + 1, at * n + code, inside[axis] ? from * n + code : from)
    else if (inside[last]) for (let code = 0; code < n; code++) target[at * n + code]! += part[from * n + code]!
    else for (let code = 0; code < n; code++) target[at * n + code]! += part[from]!
  }
  if (sizes.length > 0) walk(0, 0, 0)
  else target[0]! += part[0]!
}
