import type { Column } from '../column.ts'
import { kept } from '../kept.ts'
import type { Axis } from './axis.ts'
import { type Block, columnAt } from './block.ts'
import { type AxisClass, allGroups, contrasts, singleGroups } from './classes.ts'
import { shapeOf } from './column-key.ts'

/**
 * A part of a table: along some axes what tells groups apart, summed over the others. A table is the sum of its parts, one
 * for every set of axes, and their noises are uncorrelated.
 */
export interface BlockPart {
  readonly block: Block
  /** Its queries depend on these attributes, and on no fewer, but for what depends on fewer of them. */
  readonly places: readonly number[]
  /** Parts with the same text have the same queries, but for a number. */
  readonly space: string
  readonly columns: readonly PartColumns[]
  readonly lists: readonly (readonly AxisClass[])[]
  /** Number of its sums. */
  readonly size: number
}

/** What a part's queries are along one attribute: products of one of these for each. */
interface PartColumns {
  readonly place: number
  readonly columns: readonly Column[]
}

/** What axes are in parts, made once for all tables that share them. */
export class PartReader {
  readonly #made = new Map<Axis, Map<string, AxisLists>>()

  /** undefined where a table has no such parts: of several terms, or with other numbers than 0 and 1 along an axis. */
  partsOf(block: Block): readonly BlockPart[] | undefined {
    const { axes, shared } = block
    const [term] = shared.terms
    if (!term || shared.terms.length > 1 || !axes.every(({ place }) => isIndicator(columnAt(term, place))))
      return undefined
    const lists = axes.map((axis) => this.#listsOf(axis, columnAt(term, axis.place)))
    const outside = term.attributes.flatMap((place, i) =>
      axes.some((axis) => axis.place === place) ? [] : [{ place, columns: [term.columns[i]!] }],
    )
    const inside = Array.from({ length: 2 ** axes.length }, (_, set) => axes.map((_, i) => ((set >> i) & 1) === 1))
    return inside.map((told) => partOf(block, lists, told, outside)).filter(({ size }) => size > 0)
  }

  /** Every group by itself: the table as it is. */
  cellsOf({ axes, shared }: Block): readonly (readonly AxisClass[])[] {
    return axes.map((axis) =>
      singleGroups(
        axis,
        shared.terms.map((term) => columnAt(term, axis.place)),
      ),
    )
  }

  #listsOf(axis: Axis, f: Column | undefined): AxisLists {
    const made = kept(this.#made, axis, () => new Map())
    return kept(made, shapeOf(f).text, () => ({ told: contrasts(axis, [f]), summed: allGroups(axis, [f]) }))
  }
}

interface AxisLists {
  readonly told: readonly AxisClass[]
  readonly summed: AxisClass
}

function partOf(
  block: Block,
  lists: readonly AxisLists[],
  told: readonly boolean[],
  outside: readonly PartColumns[],
): BlockPart {
  const chosen = lists.map(({ told: apart, summed }, i) => (told[i] ? apart : [summed]))
  const along = block.axes.map(({ place }, i) => ({
    place,
    columns: chosen[i]!.flatMap(({ columns }) => columns[0] ?? []),
  }))
  const columns = [...along.filter((_, i) => told[i] || chosen[i]![0]!.columns[0]), ...outside].sort(
    (x, y) => x.place - y.place,
  )
  const space = columns.map((own) => `${own.place}:${own.columns.map((column) => shapeOf(column).text).join('/')}`)
  return {
    block,
    places: columns.map(({ place }) => place),
    space: space.join(';'),
    columns,
    lists: chosen,
    size: chosen.reduce((product, list) => product * list.length, 1),
  }
}

const isIndicator = (column: Column | undefined): boolean => !column || column.interval || column.codes !== undefined
