import { groupSums, type Partition } from './partition.ts'

/**
 * Components with weights that add up to 1; in each of them the attributes are independent. p(t) = Σ_k w_k Π_a θ_ka(t_a),
 * where θ_ka(code) is the probability of the code's atom times the code's share in it.
 */
export interface Mixture {
  readonly weights: Float64Array
  readonly attributes: readonly AttributeOfMixture[]
}
export interface AttributeOfMixture {
  readonly atoms: Partition
  /** By code: of its atom. */
  readonly shares: Float64Array
  /** By atom and component, components running fastest. */
  readonly probabilities: Float32Array
}

/** Of these counts, each code's part in its atom. Where an atom has none its codes have equal parts. */
export function sharesOf(atoms: Partition, counts: Float64Array): Float64Array {
  const some = counts.map((count) => Math.max(0, count) + 1e-6)
  const sums = groupSums(atoms, some)
  return some.map((count, code) => count / sums[atoms.groupOf[code]!]!)
}
