import type { Universe } from '../../schema/index.ts'
import type { AnswerSheet } from '../fitted-model.ts'
import type { Cells } from './cells.ts'
import { boxOf, PrefixSums } from './prefix-sums.ts'
import { Projection } from './projection.ts'
import { answersFrom, queryTable } from './query-table.ts'

/** A marginal: ascending axes, and its numbers. */
interface Marginal {
  readonly axes: readonly number[]
  readonly table: Float64Array
}

/**
 * Answers many queries at once. Those that look at the same attributes share one marginal, which is added up from the smallest
 * one at hand that contains it; ranges share its prefix sums.
 */
export function fillSheet(
  { queries, attributesOf, starts, values }: AnswerSheet,
  places: ArrayLike<number>,
  { universe, cells, scale }: { universe: Universe; cells: Cells; scale: number },
): void {
  const sizes = universe.attributes.map(({ size }) => size)
  const sets = [...Map.groupBy(Array.from(places), (place) => attributesOf(place).join()).values()].map((members) => ({
    axes: attributesOf(members[0]!),
    members,
  }))
  const wanted = sets.map(({ axes }) => axes)
  const found: Marginal[] = blocks(wanted, sizes).map((axes) => ({
    axes,
    table: new Projection(sizes, axes).sum(cells, scale),
  }))
  for (const { axes, members } of sets.sort((a, b) => b.axes.length - a.axes.length)) {
    const table = marginalOf(axes, found, sizes, cells, scale)
    found.push({ axes, table })
    const own = axes.map((axis) => sizes[axis]!)
    const names = axes.map((axis) => universe.attributes[axis]!.name)
    let prefixes: PrefixSums | undefined
    for (const place of members) {
      const query = queries.at(place)!
      const box = boxOf(query, names)
      if (box) {
        prefixes ??= new PrefixSums(table, own)
        values[starts[place]!] = prefixes.box(box.from, box.to)
      } else {
        const wanted = queryTable(query, universe)
        const order = wanted.axes.map((axis) => axes.indexOf(axis))
        const turned = order.every((axis, i) => axis === i) ? table : new Projection(own, order).sum(table)
        values.set(answersFrom(wanted, turned), starts[place]!)
      }
    }
  }
}

/** Blocks are this much smaller than the table: adding up from one of them is nearly free. */
const blockShare = 32

/**
 * Sets of attributes that contain all those wanted, but for the largest: each reading of the whole table then serves many.
 * A set joins the first block that stays small with it.
 */
function blocks(wanted: readonly (readonly number[])[], sizes: readonly number[]): number[][] {
  const cellsOf = (axes: Iterable<number>) => [...axes].reduce((cells, axis) => cells * sizes[axis]!, 1)
  const limit = cellsOf(sizes.keys()) / blockShare
  const found: Set<number>[] = []
  for (const axes of wanted.toSorted((a, b) => b.length - a.length)) {
    if (cellsOf(axes) > limit) continue
    const block = found.find((other) => cellsOf(other.union(new Set(axes))) <= limit)
    if (block) for (const axis of axes) block.add(axis)
    else found.push(new Set(axes))
  }
  return found.map((block) => [...block].sort((a, b) => a - b))
}

function marginalOf(
  axes: readonly number[],
  found: readonly Marginal[],
  sizes: readonly number[],
  cells: Cells,
  scale: number,
): Float64Array {
  const containing = found.filter((other) => axes.every((axis) => other.axes.includes(axis)))
  const [nearest] = containing.sort((a, b) => a.table.length - b.table.length)
  if (!nearest) return new Projection(sizes, axes).sum(cells, scale)
  const own = nearest.axes.map((axis) => sizes[axis]!)
  return new Projection(
    own,
    axes.map((axis) => nearest.axes.indexOf(axis)),
  ).sum(nearest.table)
}
