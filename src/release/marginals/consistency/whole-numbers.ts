/**
 * Whole numbers next to these, which are nowhere negative and add up to `total` but for rounding errors: all are rounded
 * down, and those with the largest fractions up (of equal ones the first), so that they add up to `total` exactly.
 */
export function wholeNumbers(table: Float64Array, total: number): Float64Array {
  const whole = table.map(Math.floor)
  const fractions = table.map((v, i) => v - whole[i]!)
  const missing = total - whole.reduce((sum, v) => sum + v, 0)
  if (missing <= 0) return whole
  const last = fractions.toSorted()[table.length - missing]!
  let ties = missing - fractions.reduce((count, v) => count + (v > last ? 1 : 0), 0)
  for (let i = 0; i < whole.length; i++) if (fractions[i]! > last || (fractions[i]! === last && ties-- > 0)) whole[i]!++
  return whole
}
