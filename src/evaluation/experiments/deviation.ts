import { mean } from '../../numeric/index.ts'

/** One standard deviation of a run, around the mean of several. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1))
}
