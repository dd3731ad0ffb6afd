import { type Expression, evaluateInterval } from '../../query/index.ts'
import type { Estimate } from '../answer.ts'
import type { Bounds } from './bounds.ts'

/** A number with its interval; null for an end that may be anywhere. */
export function estimate(value: number | null, { low, high }: Bounds): Estimate {
  const finite = (x: number) => (Number.isFinite(x) ? x : null)
  return {
    estimate: value,
    interval: [finite(low), finite(high)],
    within: value === null ? null : finite(Math.max(value - low, high - value)),
  }
}

const anything: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** What an expression with a quotient can be, whatever its parts are. Others are told by what sums can be. */
export const possibleOf = (e: Expression, parts: number, quantiles = 0): Bounds =>
  hasQuotient(e)
    ? evaluateInterval(
        e,
        Array.from({ length: parts }, () => anything),
        Array.from({ length: quantiles }, () => anything),
      )
    : anything

/** Whether an interval is all that there can be, where that is not everything. */
export function covers({ interval: [low, high] }: Estimate, { interval: [least, most] }: Estimate): boolean {
  if (low === null || high === null || least === null || most === null) return false
  return low <= least && high >= most && least < most
}

export function hasQuotient(e: Expression): boolean {
  if (e.kind === 'quotient') return true
  if ('left' in e) return hasQuotient(e.left) || hasQuotient(e.right)
  return 'of' in e && hasQuotient(e.of)
}
