import { arrange, type Expression, evaluateInterval, type Statement } from '../query/index.ts'
import { addSpending, nothing, type Spending } from '../trusted/accounting/index.ts'
import type { ColumnAnswer, Estimate } from './answer.ts'
import type { Cost } from './cost.ts'
import { confidenceOfEach, partsOf } from './interval.ts'

/** What is known about one part of a statement, in the data's own units. */
export interface KnownPart {
  /** One estimate per group. */
  readonly values: Float64Array
  /** The exact number is within ± this of a group's estimate, with at least the confidence. */
  halfWidth(group: number, confidence: number): number
  readonly price: Spending
}

/** The columns of the SELECT, computed from what is known about its parts. */
export function columnsOf(
  statement: Statement,
  parts: readonly KnownPart[],
  confidence: number,
  cost: (spending: Spending) => Cost,
): ColumnAnswer[] {
  const rows = arrange(
    statement,
    parts.map(({ values }) => values),
  )
  return statement.columns.flatMap((column, i): ColumnAnswer[] => {
    if (column.kind === 'key') return []
    const { name, expression } = column
    const groups = rows.map((row) => ({
      key: Object.fromEntries(statement.axes.map((axis, k) => [axis.name, row.keys[k]!])),
      ...estimate(expression, row.cells[i] as number | null, row.group, parts, confidence),
    }))
    const price = cost(priceOfAll([...partsOf(expression)].map((part) => parts[part]!)))
    // Without GROUP BY there is one row, unless HAVING or LIMIT took it away.
    const [only] = groups
    if (statement.axes.length > 0 || !only) return [{ name, cost: price, groups }]
    const { key: _, ...single } = only
    return [{ name, cost: price, ...single }]
  })
}

export const priceOfAll = (parts: readonly { readonly price: Spending }[]): Spending =>
  parts.map(({ price }) => price).reduce(addSpending, nothing)

/** The value, and its interval from its parts' intervals, which hold all at once. */
function estimate(
  e: Expression,
  value: number | null,
  group: number,
  parts: readonly KnownPart[],
  confidence: number,
): Estimate {
  const used = partsOf(e)
  const each = confidenceOfEach(confidence, used.size)
  const boxes = parts.map((part, i) => {
    const half = used.has(i) ? part.halfWidth(group, each) : 0
    return { low: part.values[group]! - half, high: part.values[group]! + half }
  })
  const { low, high } = evaluateInterval(e, boxes)
  const finite = (x: number) => (Number.isFinite(x) ? x : null)
  return {
    estimate: value,
    interval: [finite(low), finite(high)],
    within: value === null ? null : finite(Math.max(value - low, high - value)),
  }
}
