import { attributesOf, checkQuery, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { type Column, factorColumn, memberColumn, restrict } from './worst-cell/column.ts'
import { classesIn, merge, type Partition, refine, whole } from './worst-cell/partition.ts'

/** One attribute as a query sees it: its codes in classes, and on each class what the terms' factors lie between. */
export interface Axis {
  readonly attribute: number
  readonly partition: Partition
  /** One per term; a term without a factor here has ones. */
  readonly low: readonly Float64Array[]
  readonly high: readonly Float64Array[]
}

/** The weight w of a query over the classes of its axes (the last runs fastest): it lies in low … high. */
interface Weights {
  readonly axes: readonly Axis[]
  readonly low: Float64Array
  readonly high: Float64Array
}

const ones: Column = { partition: whole, low: Float64Array.of(1), high: Float64Array.of(1) }

function axisOf(query: LinearQuery, name: string, u: Universe): Axis {
  const attribute = u.index.get(name)!
  const { size } = u.attributes[attribute]!
  const grouping = query.by.find((g) => g.attribute === name)
  const member = grouping && memberColumn(grouping, size)
  const columns = query.terms.map((term) => {
    const factor = term.factors[name]
    const free = factor ? factorColumn(factor, size) : ones
    return member ? restrict(free, member) : free
  })
  const partition = columns.reduce((coarse, column) => refine(coarse, column.partition).partition, whole)
  const labels = columns.map((column) => classesIn(partition, column.partition)!)
  const ends = (end: 'low' | 'high') => columns.map((c, i) => Float64Array.from(labels[i]!, (label) => c[end][label]!))
  return { attribute, partition, low: ends('low'), high: ends('high') }
}

/** The query's axes, one per attribute that matters, groups folded in: a code that is left out has weight 0. */
export function axesOf(query: LinearQuery, u: Universe): Axis[] {
  checkQuery(query, u)
  return attributesOf(query, u).map((name) => axisOf(query, name, u))
}

/** At most so many classes, neighbours put together. */
function coarsen(axis: Axis, count: number): Axis {
  const labels = Int32Array.from({ length: axis.partition.count }, (_, c) =>
    Math.floor((c * count) / axis.partition.count),
  )
  const ends = (columns: readonly Float64Array[], pick: (a: number, b: number) => number) =>
    columns.map((column) => {
      const merged = new Float64Array(count).fill(Number.NaN)
      column.forEach((v, c) => {
        const label = labels[c]!
        merged[label] = Number.isNaN(merged[label]!) ? v : pick(merged[label]!, v)
      })
      return merged
    })
  return {
    attribute: axis.attribute,
    partition: merge(axis.partition, labels),
    low: ends(axis.low, Math.min),
    high: ends(axis.high, Math.max),
  }
}

export const entriesOf = (partitions: readonly Partition[]): number => partitions.reduce((n, p) => n * p.count, 1)

/** Coarsens the longest axis until the table has at most `limit` entries. */
function shrink(axes: readonly Axis[], limit: number): Axis[] {
  const fitted = [...axes]
  while (entriesOf(fitted.map((a) => a.partition)) > limit) {
    const longest = fitted.reduce((best, a, i) => (a.partition.count > fitted[best]!.partition.count ? i : best), 0)
    fitted[longest] = coarsen(fitted[longest]!, Math.ceil(fitted[longest]!.partition.count / 2))
  }
  return fitted
}

/**
 * The query's weights by interval arithmetic, in a table of at most `limit` entries: exact where low = high, as they are
 * unless an axis had to be coarsened. All products and sums are integers below 2^53 (checkQuery), hence exact.
 */
export function weights(query: LinearQuery, u: Universe, limit: number): Weights {
  const axes = shrink(axesOf(query, u), limit)
  const entries = entriesOf(axes.map((a) => a.partition))
  const low = new Float64Array(entries)
  const high = new Float64Array(entries)
  for (const [i, { coefficient }] of query.terms.entries()) addTerm(axes, i, coefficient, low, high)
  return { axes, low, high }
}

/**
 * Adds one term to the table: the product of its columns, class by class. Where a factor is 0 nothing is added, and the
 * classes of later axes are not looked at: the terms of a condition are disjoint boxes, which together visit the table once.
 */
function addTerm(
  axes: readonly Axis[],
  term: number,
  coefficient: number,
  low: Float64Array,
  high: Float64Array,
): void {
  const grow = (depth: number, before: number, lows: number, highs: number): void => {
    if (depth === axes.length) {
      low[before] = low[before]! + lows
      high[before] = high[before]! + highs
      return
    }
    const { low: lowest, high: highest, partition } = axes[depth]!
    const [a, b] = [lowest[term]!, highest[term]!]
    for (let c = 0; c < partition.count; c++) {
      const [from, to] = [a[c]!, b[c]!]
      if (from === 0 && to === 0) continue
      const [p, q, r, s] = [lows * from, lows * to, highs * from, highs * to]
      grow(depth + 1, before * partition.count + c, Math.min(p, q, r, s), Math.max(p, q, r, s))
    }
  }
  grow(0, 0, coefficient, coefficient)
}
