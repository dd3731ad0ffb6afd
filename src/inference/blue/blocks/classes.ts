import type { Factor } from '../../../query/index.ts'
import { type Column, columnOf, tableOf } from '../column.ts'
import type { Axis } from './axis.ts'
import { shapeOf } from './column-key.ts'
import type { AxisWeights } from './part.ts'

/** Groups of an axis that are not told apart, as one: their weights, and every term's column there. */
export interface AxisClass {
  readonly along: AxisWeights
  /** undefined where it is 1 everywhere. */
  readonly columns: readonly (Column | undefined)[]
}

/**
 * The groups of an axis by what columns of interest are there, as multiples of the tables' own: groups with the same
 * multiples are one class, a group through which a column cuts is one by itself. Groups that hold nobody are in none.
 */
export function classesOf(
  axis: Axis,
  own: readonly (Column | undefined)[],
  interesting: readonly Column[],
): readonly AxisClass[] {
  // A column that is 1 everywhere is always of interest: where terms add up to other numbers, or weigh values.
  const lists = own.flatMap((f) => [undefined, ...interesting].map((h) => axis.shares(f, h).shares))
  const byPattern = new Map<string, number[]>()
  for (const group of liveGroups(axis, own)) {
    const shares = lists.map((list) => list[group]!)
    const pattern = shares.some(Number.isNaN) ? `group ${group}` : shares.join()
    const list = byPattern.get(pattern)
    if (list) list.push(group)
    else byPattern.set(pattern, [group])
  }
  return Array.from(byPattern.values(), (groups) => classOf(axis, own, groups))
}

function classOf(axis: Axis, own: readonly (Column | undefined)[], groups: readonly number[]): AxisClass {
  const weights = new Float64Array(axis.groups)
  for (const group of groups) weights[group] = 1
  return weighted(axis, own, weights)
}

const weighted = (axis: Axis, own: readonly (Column | undefined)[], weights: Float64Array): AxisClass => ({
  along: { weights, support: Int32Array.from([...weights.keys()].filter((group) => weights[group] !== 0)) },
  columns: own.map((f) => within(axis, f, weights)),
})

/** Groups with these weights, of a table without a column of its own there. */
export function weightedGroups(axis: Axis, list: readonly (readonly [number, number])[]): AxisClass {
  const weights = new Float64Array(axis.groups)
  for (const [group, weight] of list) weights[group] = weight
  return weighted(axis, [undefined], weights)
}

/** A column in one group, 0 elsewhere. */
export const groupColumn = (axis: Axis, f: Column | undefined, group: number): Column | undefined =>
  classOf(axis, [f], [group]).columns[0]

/** Every group by itself. */
export const singleGroups = (axis: Axis, own: readonly (Column | undefined)[]): readonly AxisClass[] =>
  liveGroups(axis, own).map((group) => classOf(axis, own, [group]))

/** All groups as one. */
export const allGroups = (axis: Axis, own: readonly (Column | undefined)[]): AxisClass =>
  classOf(axis, own, liveGroups(axis, own))

/**
 * What tells groups apart, without their sum: for every group but the first, the sum of those before it less so many times
 * itself. These are orthogonal to each other and to the sum, so independent noises stay uncorrelated (Helmert).
 */
export function contrasts(axis: Axis, own: readonly (Column | undefined)[]): readonly AxisClass[] {
  const groups = liveGroups(axis, own)
  return groups.slice(1).map((group, k) => {
    const weights = new Float64Array(axis.groups)
    for (const before of groups.slice(0, k + 1)) weights[before] = 1
    weights[group] = -(k + 1)
    return weighted(axis, own, weights)
  })
}

function liveGroups(axis: Axis, own: readonly (Column | undefined)[]): number[] {
  const live = axis.live(own)
  return [...live.keys()].filter((group) => live[group] === 1)
}

/** f times the weight of its group, 0 outside of the groups. Plain loops: an axis may have 100,000 codes, and as many weights as groups. */
function within(axis: Axis, f: Column | undefined, weights: Float64Array): Column | undefined {
  const whole = f ? undefined : joined(axis, weights)
  if (whole) {
    const column = columnOf(whole, axis.codes)
    return column.sum === axis.codes ? undefined : column
  }
  const { groupOf } = axis
  const table = f && tableOf(f)
  const values = new Array<number>(groupOf.length).fill(0)
  let [isEverywhere, isIndicator] = [true, true]
  for (let code = 0; code < groupOf.length; code++) {
    const group = groupOf[code]!
    const value = group < 0 ? 0 : weights[group]! * (table ? table[code]! : 1)
    values[code] = value
    if (value !== 1) isEverywhere = false
    if (value !== 1 && value !== 0) isIndicator = false
  }
  if (isEverywhere) return undefined
  if (!isIndicator) return columnOf({ kind: 'table', values }, axis.codes)
  return columnOf(setOf([...values.keys()].filter((code) => values[code] === 1)), axis.codes)
}

/** The codes of whole groups, if groups are ranges. */
function joined({ ranges }: Axis, weights: Float64Array): Factor | undefined {
  if (!ranges || !weights.every((weight) => weight === 0 || weight === 1)) return undefined
  const chosen = ranges
    .filter(({ from, to }, group) => weights[group] === 1 && from <= to)
    .sort((x, y) => x.from - y.from)
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (!first || !last) return { kind: 'set', codes: [] }
  if (chosen.every(({ from }, i) => i === 0 || chosen[i - 1]!.to + 1 === from))
    return { kind: 'interval', from: first.from, to: last.to }
  const codes: number[] = []
  for (const { from, to } of chosen) for (let code = from; code <= to; code++) codes.push(code)
  return { kind: 'set', codes }
}

const setOf = (codes: readonly number[]): Factor => {
  const [from, to] = [codes[0] ?? 0, codes.at(-1) ?? -1]
  return to - from + 1 === codes.length && codes.length > 0 ? { kind: 'interval', from, to } : { kind: 'set', codes }
}

/** The groups through which a column cuts, as columns. */
export function cutGroups(axis: Axis, own: Column | undefined, h: Column): Column[] {
  const { shares } = axis.shares(own, h)
  return [...shares.keys()]
    .filter((group) => Number.isNaN(shares[group]))
    .map((group) => {
      const range = axis.ranges?.[group]
      if (range) return columnOf(range, axis.codes)
      const codes = [...axis.groupOf.keys()].filter((code) => axis.groupOf[code] === group)
      return columnOf(setOf(codes), axis.codes)
    })
}

export const classKey = (own: readonly (Column | undefined)[]): string =>
  own.map((column) => shapeOf(column).text).join('|')
