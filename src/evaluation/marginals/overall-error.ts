import { mean } from '../../numeric/index.ts'
/**
 * Overall error of noisy marginals (iReduct paper, Definition 6): the mean over marginals of the mean over their cells
 * of |noisy - exact|/max(floor, exact).
 */
export function overallError(
  exact: readonly Float64Array[],
  noisy: readonly ArrayLike<number>[],
  floor: number,
): number {
  return mean(
    exact.map((counts, m) => {
      const values = noisy[m]!
      let sum = 0
      for (let i = 0; i < counts.length; i++) sum += Math.abs(values[i]! - counts[i]!) / Math.max(floor, counts[i]!)
      return sum / counts.length
    }),
  )
}

/** Overall error of tables that are 0 everywhere, which cost nothing: whoever is above says less than nothing. */
export const errorOfZeros = (exact: readonly Float64Array[], floor: number): number =>
  overallError(
    exact,
    exact.map(({ length }) => new Float64Array(length)),
    floor,
  )

/** Mean of 1/max(floor, count) over the cells: the relative error of a marginal per unit of |noise|. */
export function meanReciprocal(counts: Float64Array, floor: number): number {
  let sum = 0
  for (const count of counts) sum += 1 / Math.max(floor, count)
  return sum / counts.length
}
