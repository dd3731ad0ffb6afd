/** Added up in their order. */
export function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}

export const mean = (values: ArrayLike<number>): number => sum(values) / values.length

/** The one in the middle, or the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

/** The least and the largest of at least one number. A release has half a million of them, more than a call takes arguments. */
export const extent = (values: readonly number[]): readonly [least: number, largest: number] => [
  values.reduce((a, b) => Math.min(a, b)),
  values.reduce((a, b) => Math.max(a, b)),
]
