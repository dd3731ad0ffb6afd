/**
 * Relative entropy (Kullback-Leibler divergence) of a table from a model of it, Σ p·ln(p/q) over the cells, as Fienberg
 * et al. and the MWEM papers measure it. Both are counts or shares, and are divided by what they add up to.
 */
export function relativeEntropy(table: Float64Array, model: Float64Array): number {
  const [records, mass] = [table, model].map((values) => values.reduce((a, b) => a + b, 0)) as [number, number]
  return table.reduce((sum, count, i) => {
    const p = count / records
    return p > 0 ? sum + p * Math.log((p * mass) / model[i]!) : sum
  }, 0)
}
