import { toNumber } from '../../../numeric/index.ts'
import type { Expression } from '../statement.ts'

/**
 * The value of an expression, given the parts' answers in the data's own units. NaN is SQL's NULL: a ratio whose
 * denominator is 0, as the mean of no records.
 */
export function evaluate(e: Expression, parts: ArrayLike<number>): number {
  switch (e.kind) {
    case 'constant':
      return toNumber(e.value)
    case 'part':
      return parts[e.part]!
    case 'sum':
      return evaluate(e.left, parts) + evaluate(e.right, parts)
    case 'difference':
      return evaluate(e.left, parts) - evaluate(e.right, parts)
    case 'product':
      return evaluate(e.left, parts) * evaluate(e.right, parts)
    case 'quotient': {
      const denominator = evaluate(e.right, parts)
      return denominator === 0 ? Number.NaN : evaluate(e.left, parts) / denominator
    }
    case 'root':
      return Math.sqrt(Math.max(0, evaluate(e.of, parts)))
    case 'clip':
      return clip(evaluate(e.of, parts), e)
  }
}

/** Moves a value to the nearest one within the bounds; NaN stays. */
export function clip(value: number, { low, high }: Extract<Expression, { kind: 'clip' }>): number {
  if (low && value < toNumber(low)) return toNumber(low)
  return high && value > toNumber(high) ? toNumber(high) : value
}
