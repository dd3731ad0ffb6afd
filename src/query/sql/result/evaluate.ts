import { toNumber } from '../../../numeric/index.ts'
import type { Expression, WindowRank, WindowSum } from '../statement.ts'

/** What window functions are, of which the values of one row do not tell. */
type WindowValue = (of: WindowSum | WindowRank) => number

/**
 * The value of an expression, given the parts' answers in the data's own units. NaN is SQL's NULL: a ratio whose
 * denominator is 0, as the mean of no records, or a quantile that is not known.
 */
export function evaluate(
  e: Expression,
  parts: ArrayLike<number>,
  quantiles: ArrayLike<number> = [],
  windows: WindowValue = () => Number.NaN,
): number {
  const of = (inner: Expression) => evaluate(inner, parts, quantiles, windows)
  switch (e.kind) {
    case 'constant':
      return toNumber(e.value)
    case 'part':
      return parts[e.part]!
    case 'quantile':
      return quantiles[e.quantile]!
    case 'window-sum':
    case 'window-rank':
      return windows(e)
    case 'sum':
      return of(e.left) + of(e.right)
    case 'difference':
      return of(e.left) - of(e.right)
    case 'product':
      return of(e.left) * of(e.right)
    case 'quotient': {
      const denominator = of(e.right)
      return denominator === 0 ? Number.NaN : of(e.left) / denominator
    }
    case 'root':
      return Math.sqrt(Math.max(0, of(e.of)))
    case 'clip':
      return clip(of(e.of), e)
  }
}

/** Moves a value to the nearest one within the bounds; NaN stays. */
export function clip(value: number, { low, high }: Extract<Expression, { kind: 'clip' }>): number {
  if (low && value < toNumber(low)) return toNumber(low)
  return high && value > toNumber(high) ? toNumber(high) : value
}
