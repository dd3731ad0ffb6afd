import type { Column } from '../column.ts'
import { kept } from '../kept.ts'
import type { Axis } from './axis.ts'
import type { BlockPart } from './block-parts.ts'
import { type AxisClass, weightedGroups } from './classes.ts'
import { areIndependent } from './independence.ts'

type Lists = readonly (readonly AxisClass[])[]

/**
 * Of parts over the same attributes but with different groups: what they have in common, functions of blocks of groups that
 * all of them can tell apart. Undefined where they may have more in common than that.
 */
export function commonParts(parts: readonly BlockPart[]): ReadonlyMap<BlockPart, Lists> | undefined {
  const found = new Map<BlockPart, (readonly AxisClass[])[]>(parts.map((part) => [part, [...part.lists]]))
  const different = [...new Map(parts.map((part) => [part.space, part])).values()]
  for (const place of parts[0]!.places) {
    if (new Set(parts.map((part) => textAlong(part, place))).size === 1) continue
    const axes = different.map((part) => wholeAxis(part, place))
    if (!axes.every((axis) => axis !== undefined)) return undefined
    const blocks = commonBlocks(axes)
    const told = new Map(axes.map((axis) => [axis, splitContrasts(axis, blocks)]))
    const columns = [...told.get(axes[0]!)!.between, ...axes.flatMap((axis) => told.get(axis)!.within)]
    if (!areIndependent(columns.map((one): Column => one.columns[0]!))) return undefined
    for (const part of parts) {
      const i = part.block.axes.findIndex((axis) => axis.place === place)
      found.get(part)![i] = told.get(part.block.axes[i]!)!.between
    }
  }
  return found
}

const textAlong = ({ space, places }: BlockPart, place: number): string => space.split(';')[places.indexOf(place)]!

/** The axis along which a part tells groups apart, if these hold all codes. */
function wholeAxis({ block, lists }: BlockPart, place: number): Axis | undefined {
  const i = block.axes.findIndex((axis) => axis.place === place)
  const axis = block.axes[i]
  const isTold = axis !== undefined && lists[i]!.length === axis.groups - 1
  const isWhole = isTold && axis.groupOf.every((group) => group >= 0)
  return isWhole && block.shared.terms[0]!.attributes.every((other) => other !== place) ? axis : undefined
}

/** Codes that no axis tells apart from each other, but by way of others: the finest groups that all of them can make. */
function commonBlocks(axes: readonly Axis[]): Int32Array {
  const parent = Int32Array.from({ length: axes[0]!.codes }, (_, code) => code)
  const rootOf = (code: number): number => {
    let root = code
    while (parent[root] !== root) root = parent[root]!
    return root
  }
  for (const { groupOf } of axes) {
    const first = new Map<number, number>()
    for (const [code, group] of groupOf.entries()) parent[rootOf(code)] = rootOf(kept(first, group, () => code))
  }
  return parent.map((_, code) => rootOf(code))
}

/**
 * What tells groups apart in two orthogonal parts: between blocks of groups, and within them. For every block but the first,
 * the sum of the groups before it times its own number of groups, less its own sum times theirs.
 */
function splitContrasts(axis: Axis, blocks: Int32Array): { between: AxisClass[]; within: AxisClass[] } {
  const groups = Map.groupBy(
    Array.from({ length: axis.groups }, (_, group) => group),
    (group) => blocks[axis.groupOf.indexOf(group)]!,
  )
  const [between, within]: [AxisClass[], AxisClass[]] = [[], []]
  let before: number[] = []
  // In the order of the codes, so that axes with other groups have the same blocks in the same order.
  for (const block of new Set(blocks)) {
    const own = groups.get(block)!
    if (before.length > 0)
      between.push(weightedGroups(axis, [...weighing(before, own.length), ...weighing(own, -before.length)]))
    for (const [k, group] of own.entries())
      if (k > 0) within.push(weightedGroups(axis, [...weighing(own.slice(0, k), 1), [group, -k]]))
    before = [...before, ...own]
  }
  return { between, within }
}

const weighing = (groups: readonly number[], weight: number) => groups.map((group): [number, number] => [group, weight])
