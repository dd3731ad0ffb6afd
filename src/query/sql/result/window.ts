import type { FuncCall, Node, WindowDef } from '@pgsql/types'
import { insteadOfWindow } from '../alternatives.ts'
import { operand } from '../expression/expression.ts'
import { type Quantity, restQuantity } from '../expression/quantity.ts'
import { plainName, unsupported } from '../scope.ts'
import type { Expression, Frames, Order, WindowRank } from '../statement.ts'
import { partitions, type Reach, reachOf, sortedFrames } from './frames.ts'
import { asOperand, axisOf, hasAggregate, type Result, side } from './result.ts'

/** Frames of more rows than this, of all rows together, are refused. */
const maxFrames = 2 ** 21

const ranks: { readonly [name: string]: WindowRank['ties'] } = {
  rank: 'rank',
  dense_rank: 'dense',
  row_number: 'row',
}
/** Whose value they take: by so many rows before (-) or after. */
const others: { readonly [name: string]: -1 | 1 } = { lag: -1, lead: 1 }

/** A window function over the rows of the result: totals, running totals, ranks, the row before. */
export function windowQuantity(result: Result, node: Node, call: FuncCall): Quantity {
  const name = plainName(call.funcname)
  const over = definitionOf(result, node, call.over!)
  if (result.grouped.axes.length === 0)
    throw unsupported(
      result,
      node,
      'a window function of records is not supported: records are never shown',
      'Group them: SELECT x, COUNT(*), SUM(COUNT(*)) OVER () … GROUP BY x.',
    )
  if (result.grouped.firstTotal !== undefined)
    throw unsupported(
      result,
      node,
      'a window function beside ROLLUP, CUBE or GROUPING SETS is not supported',
      'Ask with GROUP BY x, y; coarser tables are free after that.',
    )
  const axes = (over.partitionClause ?? []).flatMap((key) => axisOf(result, key) ?? [])
  const within = partitions(result.grouped, axes)
  const by = (over.orderClause ?? []).map((order) => orderOf(result, order))
  if (Object.hasOwn(ranks, name)) return restQuantity({ kind: 'window-rank', ties: ranks[name]!, by, frames: within })
  const frames = framesOf(result, node, over, by, within, reachIn(result, node, name, over, call))
  return valueOver(result, node, call, frames)
}

/** SUM, AVG: what is linear, added up. LAG, LEAD: anything, of one other row. */
function valueOver(result: Result, node: Node, call: FuncCall, frames: Frames): Quantity {
  const name = plainName(call.funcname)
  const [of] = call.args ?? []
  if (!of || call.agg_star || !hasAggregate(of)) throw notOfGroups(result, node, name)
  const found = result.quantity(result, of)
  const isLinear = found.rest === undefined && found.constant.num === 0n
  if (!Object.hasOwn(others, name) && !isLinear)
    throw unsupported(
      result,
      node,
      `${name}(…) OVER works on counts and sums, not on numbers computed from them`,
      'Write a ratio of two: SUM(SUM(x)) OVER () / SUM(COUNT(x)) OVER ().',
    )
  const isMean = name === 'avg'
  const includesRow = frames.every((frame, row) => frame === frames[0] || frame.includes(row))
  return restQuantity(
    overFrames(result.parts.lower(found), (part) => ({
      kind: 'window-sum',
      part,
      frames,
      ...(isMean && { isMean }),
      ...(includesRow && { includesRow }),
    })),
  )
}

/** The same expression of other rows. */
export function overFrames(e: Expression, sum: (part: number) => Expression): Expression {
  if (e.kind === 'part') return sum(e.part)
  if ('left' in e) return { ...e, left: overFrames(e.left, sum), right: overFrames(e.right, sum) }
  return 'of' in e ? { ...e, of: overFrames(e.of, sum) } : e
}

const notOfGroups = (result: Result, node: Node, name: string) =>
  unsupported(
    result,
    node,
    `${name}(…) OVER needs an aggregate of the groups in it`,
    'Write SUM(COUNT(*)) OVER () for the total of all groups.',
  )

/** A name in OVER is one of the WINDOW clause. */
function definitionOf(result: Result, node: Node, over: WindowDef): WindowDef {
  if (over.refname) throw unsupported(result, node, 'a window made from another is not supported', 'Write it out.')
  if (!over.name) return over
  const found = result.windows.find((each) => 'WindowDef' in each && each.WindowDef.name === over.name)
  if (!found || !('WindowDef' in found)) throw unsupported(result, node, `there is no window ${over.name}`)
  return found.WindowDef
}

function orderOf(result: Result, node: Node): Order {
  const sort = (node as Extract<Node, { SortBy: unknown }>).SortBy
  const descending = sort.sortby_dir === 'SORTBY_DESC'
  const stated = sort.sortby_nulls !== undefined && sort.sortby_nulls !== 'SORTBY_NULLS_DEFAULT'
  return {
    by: asOperand(result, sort.node!, side(result, result.aliased(sort.node!))),
    descending,
    nullsFirst: stated ? sort.sortby_nulls === 'SORTBY_NULLS_FIRST' : descending,
  }
}

function wholeAt(result: Result, node: Node): number | undefined {
  const of = operand(result, node)
  const isWhole = of.kind === 'constant' && of.type === 'number' && of.integer && of.value.num >= 0n
  return isWhole ? Number(of.value.num) : undefined
}

function reachIn(result: Result, node: Node, name: string, over: WindowDef, call: FuncCall): Reach {
  if (Object.hasOwn(others, name)) {
    const [, distance, otherwise] = call.args ?? []
    const by = distance ? wholeAt(result, distance) : 1
    if (by !== undefined && !otherwise && over.orderClause)
      return { from: others[name]! * by, to: others[name]! * by, peers: false }
    throw unsupported(
      result,
      node,
      `${name}(…) takes an aggregate, a whole number of rows, and OVER (ORDER BY key)`,
      `Write ${name.toUpperCase()}(COUNT(*)) OVER (ORDER BY key).`,
    )
  }
  if (name !== 'sum' && name !== 'avg')
    throw unsupported(result, node, `the window function ${name} is not supported`, insteadOfWindow(name))
  if (!over.orderClause && !over.startOffset && !over.endOffset)
    return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, peers: false }
  const reach = reachOf(over, (offset) => wholeAt(result, offset))
  if (reach) return reach
  throw unsupported(
    result,
    node,
    'this window frame is not supported',
    'Write OVER (), OVER (PARTITION BY key), OVER (ORDER BY key), or ORDER BY key ROWS BETWEEN 2 PRECEDING AND CURRENT ROW.',
  )
}

function framesOf(
  result: Result,
  node: Node,
  over: WindowDef,
  by: readonly Order[],
  within: Frames,
  reach: Reach,
): Frames {
  const noisy = by.findIndex((order) => order.by.kind !== 'key')
  if (noisy >= 0)
    throw unsupported(
      result,
      over.orderClause![noisy],
      'the order of rows in this window would depend on noise',
      'Sort the window by keys. ORDER BY at the end sorts by anything, and RANK() OVER (ORDER BY COUNT(*) DESC) ranks.',
    )
  const most = [...new Set(within)].reduce((sum, { length }) => sum + length * length, 0)
  if (by.length > 0 && most > maxFrames)
    throw unsupported(result, node, 'a running total over this many groups is not supported', 'Group more coarsely.')
  return sortedFrames(result.grouped, within, by, reach)
}
