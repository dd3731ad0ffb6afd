import { toNumber } from '../../numeric/index.ts'
import type { Expression, Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { partsOf } from '../column/interval.ts'

/** The quantiles that an expression uses. */
export function quantilesOf(e: Expression): Set<number> {
  if (e.kind === 'quantile') return new Set([e.quantile])
  if ('left' in e) return quantilesOf(e.left).union(quantilesOf(e.right))
  return 'of' in e ? quantilesOf(e.of) : new Set()
}

const expressionsOf = ({ columns }: Pick<Statement, 'columns'>): Expression[] =>
  columns.flatMap((column) => (column.kind === 'value' ? [column.expression] : []))

/** How many numbers a column is made of, at most, of those that this quantile is in. */
export const sharersOf = (statement: Pick<Statement, 'columns'>, quantile: number): number =>
  expressionsOf(statement)
    .filter((e) => quantilesOf(e).has(quantile))
    .reduce((most, e) => Math.max(most, quantilesOf(e).size + partsOf(e).size), 1)

/** How near each quantile must be, so that all columns are within ± `within`. */
export function needOf(statement: Statement, within: number): number[] {
  const needs = statement.quantiles!.map(() => Number.POSITIVE_INFINITY)
  for (const column of statement.columns) {
    if (column.kind === 'key' || quantilesOf(column.expression).size === 0) continue
    const times = multiplesIn(column.expression)
    if (!times) throw unsupported(column.name)
    const all = [...times.values()].reduce((sum, by) => sum + Math.abs(by), 0)
    for (const [quantile, by] of times) if (by !== 0) needs[quantile] = Math.min(needs[quantile]!, within / all)
  }
  // What only sorts or selects rows is told as precisely as what is shown.
  return needs.map((need) => (need === Number.POSITIVE_INFINITY ? within : need))
}

/** By how much each quantile is multiplied in a sum of multiples and constants; undefined if it is none. */
function multiplesIn(e: Expression): Map<number, number> | undefined {
  switch (e.kind) {
    case 'constant':
      return new Map()
    case 'quantile':
      return new Map([[e.quantile, 1]])
    case 'sum':
    case 'difference': {
      const [left, right] = [multiplesIn(e.left), multiplesIn(e.right)]
      if (!left || !right) return undefined
      const sign = e.kind === 'sum' ? 1 : -1
      return new Map([...left.keys(), ...right.keys()].map((q) => [q, (left.get(q) ?? 0) + sign * (right.get(q) ?? 0)]))
    }
    case 'product': {
      const [of, by] = e.left.kind === 'constant' ? [e.right, e.left] : [e.left, e.right]
      return by.kind === 'constant' ? stretched(multiplesIn(of), toNumber(by.value)) : undefined
    }
    case 'quotient':
      return e.right.kind === 'constant' ? stretched(multiplesIn(e.left), 1 / toNumber(e.right.value)) : undefined
    default:
      return undefined
  }
}

const stretched = (times: Map<number, number> | undefined, by: number): Map<number, number> | undefined =>
  times && new Map([...times].map(([q, t]) => [q, t * by]))

const unsupported = (what: string) =>
  problem(
    'not-supported',
    `${what} cannot be asked for with a half-width: it is not a sum of multiples of quantiles`,
    'Ask with --epsilon instead: the answer says how precise it is.',
  )
