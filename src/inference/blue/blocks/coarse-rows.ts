import type { Column } from '../column.ts'
import type { Shapes, Weights, WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import type { Axis } from './axis.ts'
import { type Block, columnAt } from './block.ts'
import { type AxisClass, classesOf, classKey } from './classes.ts'
import type { Part } from './part.ts'
import { keyOf } from './row.ts'

/** A query, and the parts of measurements that answer it. */
interface CoarseRow {
  readonly weights: Weights
  readonly parts: Part[]
}

/**
 * Tables as a question sees them: groups that it does not tell apart are one, so a table of a hundred groups is a few
 * sums of its cells. These are disjoint, so their noises are independent. Sums of several tables that have the same query
 * come together.
 */
export class CoarseRows {
  readonly #shapes: Shapes
  /** By attribute: the columns whose codes are told apart. */
  readonly #interesting: ReadonlyMap<number, readonly Column[]>
  readonly #classes = new Map<Axis, Map<string, readonly AxisClass[]>>()
  readonly #rows = new Map<string, CoarseRow>()

  constructor(shapes: Shapes, interesting: ReadonlyMap<number, readonly Column[]>) {
    this.#shapes = shapes
    this.#interesting = interesting
  }

  get rows(): Iterable<CoarseRow> {
    return this.#rows.values()
  }

  get size(): number {
    return this.#rows.size
  }

  /** How many sums it would be. */
  sizeOf(block: Block): number {
    return block.axes.reduce((product, axis) => product * this.#classesOf(block, axis).length, 1)
  }

  add(block: Block): void {
    const lists = block.axes.map((axis) => this.#classesOf(block, axis))
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

  #classesOf({ shared }: Block, axis: Axis): readonly AxisClass[] {
    const own = shared.terms.map((term) => columnAt(term, axis.place))
    const made = kept(this.#classes, axis, () => new Map())
    return kept(made, classKey(own), () => classesOf(axis, own, this.#interesting.get(axis.place) ?? []))
  }
}
