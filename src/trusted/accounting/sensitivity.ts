import { checkQuery, type Grouping, type LinearQuery, marginalOver } from '../../query/index.ts'
import { attributeNamed, type Universe } from '../../schema/index.ts'
import { type Axis, axesOf, weights } from './weights.ts'
import { factorColumn } from './worst-cell/column.ts'
import { refine } from './worst-cell/partition.ts'

/** A query of several terms is looked at in a table of at most so many entries. */
const limit = 2 ** 16

interface Extremes {
  readonly low: number
  readonly high: number
}

/** Found once per query: queries are data that nobody changes, and one is priced a dozen times on its way to an answer. */
const known = new WeakMap<LinearQuery, { readonly universe: Universe; readonly extremes: Extremes }>()

function extremes(query: LinearQuery, universe: Universe): Extremes {
  const plain = boxExtremes(query, universe)
  if (plain) return plain
  const before = known.get(query)
  if (before?.universe === universe) return before.extremes
  const found = findExtremes(query, universe)
  known.set(query, { universe, extremes: found })
  return found
}

/** Of one box of cells, as most queries are: its weight inside, and 0 where there is an outside. */
function boxExtremes(query: LinearQuery, u: Universe): Extremes | undefined {
  const [term] = query.terms
  if (query.terms.length !== 1 || query.by.some(({ groups }) => groups)) return undefined
  checkQuery(query, u)
  let inside = term!.coefficient
  let outside = term!.coefficient
  for (const name in term!.factors) {
    const factor = term!.factors[name]!
    if (factor.kind !== 'interval' && factor.kind !== 'set') return undefined
    const codes = factor.kind === 'set' ? factor.codes.length : factor.to - factor.from + 1
    if (codes === 0) inside = 0
    if (codes < attributeNamed(u, name).size) outside = 0
  }
  return { low: Math.min(inside, outside), high: Math.max(inside, outside) }
}

/** What w lies between over all cells: exact, or a little too wide where a query of several terms outgrows the limit. */
function findExtremes(query: LinearQuery, u: Universe): Extremes {
  // In a product of functions of different attributes the extremes of each are taken together: one class per axis will do.
  const { low, high } = weights(query, u, query.terms.length <= 1 ? 1 : limit)
  return {
    low: low.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    high: high.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  }
}

/**
 * The most that adding or removing one record moves the answer, in steps: max |w| over all cells. A record counts in at
 * most one group, so it is the L1 norm for a vector too. Never too small.
 */
export function sensitivity(query: LinearQuery, u: Universe): number {
  const { low, high } = extremes(query, u)
  return Math.max(Math.abs(low), Math.abs(high))
}

/**
 * The most that replacing one record moves the answer, in steps, in L1: max w - min w when at most one group ever
 * gets a weight, else at most 2 max |w| (two records in different groups), which is exact when some axis has two groups
 * and no factor. 0 only when the answer is the same for all tables of one length. Never too small.
 */
export function range(query: LinearQuery, u: Universe): number {
  const { low, high } = extremes(query, u)
  const most = Math.max(Math.abs(low), Math.abs(high))
  return severalGroups(query, u) ? sumUp(most, most) : sumUp(high, -low)
}

/**
 * The square of the most that replacing one record moves the answer, in steps², in L2: two records in different groups
 * move two entries by up to max |w| each, two in one group move one entry by up to max w - min w. Never too small.
 */
export function rangeSquared(query: LinearQuery, u: Universe): bigint {
  const { low, high } = extremes(query, u)
  const apart = (BigInt(high) - BigInt(low)) ** 2n
  const most = BigInt(Math.max(Math.abs(low), Math.abs(high)))
  return severalGroups(query, u) && 2n * most * most > apart ? 2n * most * most : apart
}

/** The sum of integers up to 2^53, rounded up to a double where it is not one. */
function sumUp(a: number, b: number): number {
  const sum = a + b
  return BigInt(sum) < BigInt(a) + BigInt(b) ? sum + 2 : sum
}

/** Whether records of non-zero weight can fall into different groups. When in doubt, yes. */
function severalGroups(query: LinearQuery, u: Universe): boolean {
  if (query.by.length === 0) return false
  const names = marginalOver(query)
  if (names) return names.some((name) => attributeNamed(u, name).size > 1)
  const axes = axesOf(query, u)
  return query.by.some((grouping) => {
    const attribute = u.index.get(grouping.attribute)!
    const axis = axes.find((a) => a.attribute === attribute)!
    return severalLive(grouping, axis, u.attributes[attribute]!.size)
  })
}

/** Whether at least two groups of an axis contain a code on which some term is not 0. */
function severalLive(grouping: Grouping, axis: Axis, size: number): boolean {
  const { starts, labels, count } = axis.partition
  const live = Array.from({ length: count }, (_, c) =>
    axis.low.some((low, t) => low[c] !== 0 || axis.high[t]![c] !== 0),
  )
  if (!grouping.groups) {
    let codes = 0
    for (let i = 0; i < starts.length; i++) if (live[labels[i]!]) codes += (starts[i + 1] ?? size) - starts[i]!
    return codes > 1
  }
  let groups = 0
  for (const indicator of grouping.groups) {
    const inside = factorColumn(indicator, size)
    const { first, second } = refine(inside.partition, axis.partition)
    if (first.some((label, c) => inside.low[label] === 1 && live[second[c]!]) && ++groups > 1) return true
  }
  return false
}
