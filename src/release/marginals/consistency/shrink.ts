/** The table that one-way tables of this total would make if their attributes had nothing to do with each other. */
export function independent(sums: readonly Float64Array[], total: number): Float64Array {
  if (!(total > 0)) return new Float64Array(sums.reduce((cells, { length }) => cells * length, 1))
  let table = Float64Array.of(total)
  for (const sum of sums) {
    const longer = new Float64Array(table.length * sum.length)
    for (let i = 0, at = 0; i < table.length; i++)
      for (let code = 0; code < sum.length; code++) longer[at++] = (table[i]! * sum[code]!) / total
    table = longer
  }
  return table
}

/**
 * Moves a noisy table towards what is expected of it, as far as its noise demands and no farther: empirical Bayes (Efron
 * and Morris 1973). A true count is taken to lie around its expectation m with variance g·m, as large counts stray
 * farther; g follows from the table itself, since Σ (y - m)² = Σ (noise + g·m) on average. The noise is what y - m has.
 */
export function shrunk(y: Float64Array, expected: Float64Array, noise: number): Float64Array {
  let [strays, sum] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    strays += (y[i]! - expected[i]!) ** 2 - noise
    sum += expected[i]!
  }
  const g = sum > 0 ? Math.max(0, strays / sum) : 0
  return y.map((v, i) => {
    const m = expected[i]!
    const spread = g * m
    return spread === 0 ? m : m + (spread / (spread + noise)) * (v - m)
  })
}
