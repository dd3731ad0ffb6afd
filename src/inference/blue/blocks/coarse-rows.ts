import type { Shapes, Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import { type Block, columnAt } from './block.ts'
import type { AxisClass } from './classes.ts'
import type { Part } from './part.ts'
import { keyOf, type Row, rowOf } from './row.ts'

/** A query, and the parts of measurements that answer it. */
interface CoarseRow {
  readonly weights: Weights
  readonly parts: Part[]
}

/** Sums of tables' cells. Those of several tables that have the same query come together. */
export class CoarseRows {
  readonly #shapes: Shapes
  readonly #rows = new Map<string, CoarseRow>()

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  get rows(): Row[] {
    return Array.from(this.#rows.values(), ({ weights, parts }) =>
      rowOf(
        weights,
        parts.map((part) => [part]),
      ),
    )
  }

  get size(): number {
    return this.#rows.size
  }

  /** A sum for every choice of weights along the axes. Their noises must be uncorrelated. */
  add(block: Block, lists: readonly (readonly AxisClass[])[]): void {
    const walk = (i: number, chosen: readonly AxisClass[]): void => {
      const list = lists[i]
      if (list) for (const next of list) walk(i + 1, [...chosen, next])
      else this.#put(block, chosen)
    }
    walk(0, [])
  }

  #put(block: Block, chosen: readonly AxisClass[]): void {
    const terms = block.shared.terms.flatMap((term, t) => this.#restricted(block, term, chosen, t))
    if (terms.length === 0) return
    const weights = { terms, step: block.shared.step }
    const row = kept(this.#rows, keyOf(weights), () => ({ weights, parts: [] }))
    row.parts.push({ block, times: 1, axes: chosen.map(({ along }) => along) })
  }

  /** A term in one class of every axis. */
  #restricted(block: Block, term: WeightTerm, chosen: readonly AxisClass[], t: number): WeightTerm[] {
    const along = new Map(block.axes.map((axis, i) => [axis.place, chosen[i]!.columns[t]]))
    const places = [...new Set([...term.attributes, ...along.keys()])].sort((x, y) => x - y)
    const pairs = places.flatMap((place) => {
      const column = along.has(place) ? along.get(place) : columnAt(term, place)
      return column && column.size > 1 ? [{ place, column }] : []
    })
    if (pairs.some(({ column }) => column.from > column.to)) return []
    const attributes = pairs.map(({ place }) => place)
    const columns = pairs.map(({ column }) => column)
    return [{ coefficient: term.coefficient, attributes, columns, shape: this.#shapes.of(attributes) }]
  }
}
