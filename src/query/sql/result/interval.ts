import { toNumber } from '../../../numeric/index.ts'
import type { Expression, WindowRank, WindowSum } from '../statement.ts'
import { clip } from './evaluate.ts'

/** All values from low to high, which may be infinite. */
interface Bounds {
  readonly low: number
  readonly high: number
}

const anything: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/**
 * Bounds on an expression while each part lies anywhere within its own: for every such choice `evaluate` gives NULL or
 * a value inside, rounding included, because every operation is monotone in doubles. Parts are taken as free of each
 * other, so the bounds may be wider than need be; never narrower.
 */
export function evaluateInterval(
  e: Expression,
  parts: readonly Bounds[],
  quantiles: readonly Bounds[] = [],
  windows: (of: WindowSum | WindowRank) => Bounds = () => anything,
): Bounds {
  const inside = (of: Expression) => evaluateInterval(of, parts, quantiles, windows)
  switch (e.kind) {
    case 'constant': {
      const value = toNumber(e.value)
      return { low: value, high: value }
    }
    case 'part':
      return parts[e.part]!
    case 'quantile':
      return quantiles[e.quantile]!
    case 'window-sum':
    case 'window-rank':
      return windows(e)
    case 'root': {
      const of = inside(e.of)
      return { low: Math.sqrt(Math.max(0, of.low)), high: Math.sqrt(Math.max(0, of.high)) }
    }
    case 'clip': {
      const of = inside(e.of)
      return { low: clip(of.low, e), high: clip(of.high, e) }
    }
    default: {
      const left = inside(e.left)
      return e.kind === 'product' && same(e.left, e.right) ? square(left) : operations[e.kind](left, inside(e.right))
    }
  }
}

const operations: {
  readonly [K in 'sum' | 'difference' | 'product' | 'quotient']: (a: Bounds, b: Bounds) => Bounds
} = {
  sum: (a, b) => checked(a.low + b.low, a.high + b.high),
  difference: (a, b) => checked(a.low - b.high, a.high - b.low),
  product: (a, b) => corners(a, b, times),
  quotient: (a, b) => {
    if (b.low < 0 && b.high > 0) return anything
    if (b.low === 0 && b.high === 0) return anything
    // A denominator that comes near 0 from one side leaves the ratio without a bound on the sides it can grow to.
    const denominator = { low: b.low === 0 ? 0 : b.low, high: b.high === 0 ? -0 : b.high }
    return corners(a, denominator, over)
  },
}

/** Infinity - Infinity says nothing. */
const checked = (low: number, high: number): Bounds => ({
  low: Number.isNaN(low) ? Number.NEGATIVE_INFINITY : low,
  high: Number.isNaN(high) ? Number.POSITIVE_INFINITY : high,
})

/** 0 times a bound that is infinite is 0: no value in between is infinite itself. */
const times = (a: number, b: number) => (a === 0 || b === 0 ? 0 : a * b)
const over = (a: number, b: number) =>
  a === 0 ? 0 : Number.isFinite(a) || Number.isFinite(b) ? a / b : Math.sign(a) * Math.sign(b)

function corners(a: Bounds, b: Bounds, operation: (x: number, y: number) => number): Bounds {
  const values = [
    operation(a.low, b.low),
    operation(a.low, b.high),
    operation(a.high, b.low),
    operation(a.high, b.high),
  ]
  return { low: Math.min(...values), high: Math.max(...values) }
}

const square = ({ low, high }: Bounds): Bounds => ({
  low: low <= 0 && high >= 0 ? 0 : Math.min(low * low, high * high),
  high: Math.max(low * low, high * high),
})

const same = (a: Expression, b: Expression): boolean =>
  a === b || (a.kind === 'part' && b.kind === 'part' && a.part === b.part)
