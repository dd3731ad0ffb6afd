/**
 * Whole numbers next to these, which are nowhere negative and add up to `total` but for rounding errors: all are rounded
 * down, and those with the largest fractions up, so that they add up to `total` exactly.
 */
export function wholeNumbers(table: Float64Array, total: number): Float64Array {
  const whole = table.map(Math.floor)
  const fraction = (i: number) => table[i]! - whole[i]!
  const missing = total - whole.reduce((sum, v) => sum + v, 0)
  const order = [...table.keys()].filter((i) => fraction(i) > 0).sort((i, j) => fraction(j) - fraction(i) || i - j)
  for (const i of order.slice(0, missing)) whole[i]!++
  return whole
}
