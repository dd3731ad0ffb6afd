import type { CodedTable } from '../marginals/index.ts'
import type { PerturbedTable } from './perturbed-table.ts'
import { projected } from './projected.ts'

/**
 * Every value is kept with a probability, else replaced by one that is drawn alike from its domain (Agrawal, Srikant and
 * Thomas 2005). The probabilities are such that all values of a record together have γ-amplification e^ε: each of d has e^(ε/d). Whatever
 * a record is, an output is at most e^ε times as likely as with another one: ε-differential privacy under replace-one.
 */
export function retentionReplacement(table: CodedTable, epsilon: number, uniform: () => number): PerturbedTable {
  const { universe, rows } = table
  const sizes = universe.attributes.map(({ size }) => size)
  // kept + (1 - kept)/size beside (1 - kept)/size: their ratio is e^(ε/d).
  const growth = Math.expm1(epsilon / sizes.length)
  const kept = sizes.map((size) => growth / (growth + size))
  const columns = table.columns.map((column, a) =>
    column.map((code) => (uniform() < kept[a]! ? code : Math.floor(uniform() * sizes[a]!))),
  )
  /** What a perturbed code says about the true one being among some: unbiased. */
  const says = (a: number, isIn: boolean, count: number) =>
    (Number(isIn) - ((1 - kept[a]!) * count) / sizes[a]!) / kept[a]!
  return {
    joint(attributes) {
      const shares = new Float64Array(attributes.reduce((cells, a) => cells * sizes[a]!, 1))
      for (let r = 0; r < rows; r++) {
        let cell = 0
        for (const a of attributes) cell = cell * sizes[a]! + columns[a]![r]!
        shares[cell]! += 1 / rows
      }
      // The inverse of keeping and replacing, one axis after the other.
      let inner = shares.length
      for (const a of attributes) {
        inner /= sizes[a]!
        undo(shares, sizes[a]!, inner, kept[a]!)
      }
      return projected(shares)
    },
    count(ranges) {
      let sum = 0
      for (let r = 0; r < rows; r++) {
        let product = 1
        for (const { attribute: a, from, to } of ranges) {
          const code = columns[a]![r]!
          product *= says(a, code >= from && code <= to, to - from + 1)
        }
        sum += product
      }
      return sum
    },
  }
}

function undo(shares: Float64Array, size: number, inner: number, kept: number): void {
  for (let start = 0; start < shares.length; start += size * inner)
    for (let i = start; i < start + inner; i++) {
      let total = 0
      for (let code = 0; code < size; code++) total += shares[i + code * inner]!
      for (let code = 0; code < size; code++)
        shares[i + code * inner] = (shares[i + code * inner]! - ((1 - kept) * total) / size) / kept
    }
}
