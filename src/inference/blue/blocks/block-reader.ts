import type { Grouping, LinearQuery } from '../../../query/index.ts'
import { attributeNamed, type Universe } from '../../../schema/index.ts'
import type { Column } from '../column.ts'
import { compile, type Shapes, type WeightTerm } from '../compile.ts'
import { kept } from '../kept.ts'
import { Axis } from './axis.ts'
import { type BlockQuery, columnAt, type View } from './block.ts'
import { shapeOf } from './column-key.ts'

/** Reads queries so that they share what they have in common: axes, and views of attributes. */
export class BlockReader {
  readonly #universe: Universe
  readonly #shapes: Shapes
  readonly #axes = new Map<string, Axis>()
  readonly #axisNumbers = new Map<Axis, number>()
  readonly #views = new Map<string, View>()

  constructor(universe: Universe, shapes: Shapes) {
    this.#universe = universe
    this.#shapes = shapes
  }

  /** Number of different views so far. */
  get views(): number {
    return this.#views.size
  }

  read(query: LinearQuery): BlockQuery {
    const axes = query.by.map((grouping) => this.#axis(grouping))
    const shared = compile({ ...query, by: [] }, this.#universe, this.#shapes)
    return { query, axes, shared, views: shared.terms.map((term) => this.#viewsOf(axes, term)) }
  }

  #axis(grouping: Grouping): Axis {
    const place = this.#universe.index.get(grouping.attribute)!
    const key = grouping.groups ? JSON.stringify(grouping) : grouping.attribute
    return kept(this.#axes, key, () => new Axis(place, attributeNamed(this.#universe, grouping.attribute), grouping))
  }

  #viewsOf(axes: readonly Axis[], term: WeightTerm): View[] {
    const along = axes.map((axis) => this.#view(axis.place, axis, columnAt(term, axis.place)))
    const others = term.attributes.flatMap((place, i) =>
      axes.some((axis) => axis.place === place) ? [] : [this.#view(place, undefined, term.columns[i])],
    )
    return [...along, ...others]
  }

  #view(place: number, axis: Axis | undefined, column: Column | undefined): View {
    const along = axis ? kept(this.#axisNumbers, axis, () => this.#axisNumbers.size) : ''
    const key = `${place} ${along} ${shapeOf(column).text}`
    return kept(this.#views, key, () => ({ number: this.#views.size, place, axis, column }))
  }
}
