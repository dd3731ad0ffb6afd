/** The nearest distribution: all shares less the same number, none below 0, adding up to 1. */
export function projected(shares: Float64Array): Float64Array {
  const sorted = shares.toSorted().reverse()
  let [sum, level] = [0, 0]
  for (let i = 0; i < sorted.length; i++) {
    sum += sorted[i]!
    const next = (sum - 1) / (i + 1)
    if (sorted[i]! <= next) break
    level = next
  }
  return shares.map((share) => Math.max(0, share - level))
}
