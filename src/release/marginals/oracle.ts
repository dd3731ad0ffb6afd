import { bisect, sum } from '../../numeric/index.ts'
import type { Integers } from '../../query/index.ts'

/**
 * The mean of 1/max{δ, y}: what one unit of noise scale adds to a marginal's relative error (§5.2, with the
 * reciprocal).
 */
export function meanReciprocal(values: Integers | Float64Array, floor: number): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += 1 / Math.max(floor, Number(values[i]!))
  return sum / values.length
}

/**
 * What to spend on each marginal so that the expected overall error is least: prices that are as the best shares are to each
 * other and make up all there is, none below a least one. Above it every marginal gains as much from a little more.
 */
export function bestPrices(shares: readonly number[], all: number, least?: readonly number[]): number[] {
  const prices = (factor: number) => shares.map((share, j) => Math.max(least?.[j] ?? 0, factor * share))
  // The cost rises with the factor, and is at most what there is where even the others' prices are those of the shares.
  const most = all / sum(shares)
  return prices(least ? bisect(0, most, 60, (factor) => !(sum(prices(factor)) <= all))[1] : most)
}
