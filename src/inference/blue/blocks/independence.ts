import { type Column, stepAt } from '../column.ts'

/** A prime below 2^26: products of two residues are exact. */
const prime = 67_108_859
/** More numbers than this are not looked at. */
const mostNumbers = 2 ** 18

/**
 * Are these functions of an attribute's codes linearly independent, together with those that are constant? By their steps,
 * which tell functions but for a constant, modulo a prime: what is independent there is so in the integers. False where
 * that is not found.
 */
export function areIndependent(columns: readonly Column[]): boolean {
  const size = columns[0]?.size ?? 0
  if (columns.length >= size || columns.length * size > mostNumbers) return columns.length === 0
  const rows = columns.map((column) =>
    Float64Array.from({ length: size - 1 }, (_, k) => residue(stepAt(column, k + 1))),
  )
  const pivots: { readonly row: Float64Array; readonly at: number }[] = []
  for (const row of rows) {
    for (const { row: other, at } of pivots) subtract(row, other, row[at]!)
    const at = row.findIndex((value) => value !== 0)
    if (at < 0) return false
    scale(row, inverse(row[at]!))
    pivots.push({ row, at })
  }
  return true
}

const residue = (value: number): number => ((value % prime) + prime) % prime

function subtract(row: Float64Array, other: Float64Array, times: number): void {
  if (times !== 0) for (let k = 0; k < row.length; k++) row[k] = residue(row[k]! - ((times * other[k]!) % prime))
}

function scale(row: Float64Array, times: number): void {
  for (let k = 0; k < row.length; k++) row[k] = (row[k]! * times) % prime
}

/** By Fermat's theorem. */
function inverse(value: number): number {
  let [result, power] = [1, value]
  for (let left = prime - 2; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * power) % prime
    power = (power * power) % prime
  }
  return result
}
