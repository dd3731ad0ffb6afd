/** One number per cell of the universe, the last attribute running fastest. */
export type Cells = Float64Array | Float32Array

export function totalOf(cells: Cells): number {
  let total = 0
  for (let i = 0; i < cells.length; i++) total += cells[i]!
  return total
}
