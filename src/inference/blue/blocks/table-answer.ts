import type { Column } from '../column.ts'
import { kept } from '../kept.ts'
import { type Axis, free } from './axis.ts'
import { type Block, type BlockQuery, columnAt } from './block.ts'
import { groupColumn } from './classes.ts'
import { shapeOf } from './column-key.ts'
import type { Part } from './part.ts'
import { timesOf } from './teller.ts'

/** A table's groups, and their weights. */
interface Weighted {
  readonly at: readonly number[]
  readonly weights: readonly number[]
}

/** What one table says about every group of a query. */
export interface TableAnswer {
  readonly values: Float64Array
  /** Which of the sums a group is like: as many numbers with the same weights. */
  readonly kinds: Int32Array
  /** One sum of each kind. */
  readonly parts: readonly Part[]
  /** The largest sum of sizes in a kind: rounding is so many units of it. */
  readonly sizes: readonly number[]
}

/** Comparisons of codes with groups that are worth while. */
const mostCompared = 2 ** 26

/**
 * The sums of a table's cells that are the groups of a query, all at once; undefined where some group is no such sum, or
 * where it would take too long to see. Axis by axis, as for a single question: docs/algorithms/blue.md, section 6.
 */
export function tableAnswer(block: Block, query: BlockQuery): TableAnswer | undefined {
  const [own, asked] = [block.shared.terms, query.shared.terms]
  if (own.length !== 1 || asked.length !== 1) return undefined
  if (!query.axes.every(({ place }) => block.axes.some((axis) => axis.place === place))) return undefined
  const times = timesOf(block, own[0]!, asked[0]!)
  if (times === undefined) return undefined
  const lists = block.axes.map((axis) => {
    const [f, h] = [columnAt(own[0]!, axis.place), columnAt(asked[0]!, axis.place)]
    const along = query.axes.find(({ place }) => place === axis.place)
    return along ? alongBoth(axis, f, along, h) : sharesOf(axis, f, h)
  })
  return lists.every((list) => list !== undefined) ? summed(block, query, lists, times) : undefined
}

/** For every group of the query's axis the groups of the table's that make it up. */
function alongBoth(axis: Axis, f: Column | undefined, along: Axis, h: Column | undefined): Weighted[] | undefined {
  if (axis === along && shapeOf(f).text === shapeOf(h).text) {
    const live = axis.live([f])
    const times = shapeOf(h).times / shapeOf(f).times
    return Array.from(live, (is, group) => (is ? { at: [group], weights: [times] } : none))
  }
  if (along.groups * axis.codes > mostCompared) return undefined
  const lists = Array.from({ length: along.groups }, (_, group) => sharesOf(axis, f, groupColumn(along, h, group))?.[0])
  return lists.every((list) => list !== undefined) ? lists : undefined
}

const none: Weighted = { at: [], weights: [] }

function sharesOf(axis: Axis, f: Column | undefined, h: Column | undefined): Weighted[] | undefined {
  const { shares, isWithin } = axis.shares(f, h)
  if (!isWithin) return undefined
  const at = [...shares.keys()].filter((group) => shares[group] !== 0 && shares[group] !== free)
  return [{ at, weights: at.map((group) => shares[group]!) }]
}

/** `lists` has for every axis of the table an entry for each group of the query's axis, or one where there is none. */
function summed(block: Block, query: BlockQuery, lists: readonly Weighted[][], times: number): TableAnswer {
  const sizes = query.axes.map(({ groups }) => groups)
  const cells = sizes.reduce((product, size) => product * size, 1)
  const axisOf = block.axes.map(({ place }) => query.axes.findIndex((axis) => axis.place === place))
  const answer = { values: new Float64Array(cells), kinds: new Int32Array(cells) }
  const kinds = new Map<string, number>()
  const [parts, largest]: [Part[], number[]] = [[], []]
  const codes = sizes.map(() => 0)
  for (let cell = 0; cell < cells; cell++) {
    for (let left = cell, axis = sizes.length - 1; axis >= 0; axis--) {
      codes[axis] = left % sizes[axis]!
      left = (left - codes[axis]!) / sizes[axis]!
    }
    const chosen = lists.map((list, i) => list[axisOf[i]! < 0 ? 0 : codes[axisOf[i]!]!]!)
    const { value, size } = sumOf(block, chosen, times)
    const kind = kept(kinds, chosen.map(textOf).join(), () => parts.push(partOf(block, chosen, times)) - 1)
    answer.values[cell] = value
    answer.kinds[cell] = kind
    largest[kind] = Math.max(largest[kind] ?? 0, size)
  }
  return { ...answer, parts, sizes: largest }
}

/** Made once for a list of weights. */
const texts = new WeakMap<Weighted, string>()
const textOf = (list: Weighted): string => kept(texts, list, () => list.weights.toSorted((x, y) => x - y).join('/'))

function sumOf({ axes, values, sizes }: Block, chosen: readonly Weighted[], times: number) {
  let [value, size] = [0, 0]
  const walk = (i: number, at: number, weight: number): void => {
    const list = chosen[i]
    if (!list) {
      value += weight * values[at]!
      size += Math.abs(weight * (sizes ?? values)[at]!)
      return
    }
    for (let k = 0; k < list.at.length; k++) walk(i + 1, at * axes[i]!.groups + list.at[k]!, weight * list.weights[k]!)
  }
  walk(0, 0, times)
  return { value, size }
}

function partOf(block: Block, chosen: readonly Weighted[], times: number): Part {
  const axes = chosen.map(({ at, weights: own }, i) => {
    const weights = new Float64Array(block.axes[i]!.groups)
    for (const [k, group] of at.entries()) weights[group] = own[k]!
    return { weights, support: Int32Array.from(at) }
  })
  return { block, times, axes }
}
