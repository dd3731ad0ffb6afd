import type { Partition } from '../partition.ts'

/** Noisy counts over groups of one, two or three attributes: what a mixture is fitted to. */
export interface GroupedMarginal {
  /** The last one runs fastest. A code that is in no group is not counted. */
  readonly axes: readonly GroupedAxis[]
  readonly values: ArrayLike<number>
  /** Of the noise: the same in all cells, or one per cell. */
  readonly variance: number | Float64Array
  /** A number that is further off pulls no harder than one that is off by this: noise with long tails. Not for single attributes. */
  readonly mostPull?: number
}
interface GroupedAxis {
  /** Its position in the universe. */
  readonly attribute: number
  readonly groups: Partition
}

/** What is known of a table, as a mixture is fitted to it. All of it public. */
export interface MixtureProblem {
  readonly records: number
  /** By attribute. */
  readonly attributes: readonly MixtureAttribute[]
  readonly marginals: readonly GroupedMarginal[]
  /** The χ² over tables of two and more attributes at which fitting stops, if the noise in them is known better than the fit knows it. */
  readonly enough?: number
}
export interface MixtureAttribute {
  /** Codes in the same atom keep to each other the proportions of `counts`. No marginal tells them apart. */
  readonly atoms: Partition
  /** About how many records have each code: where the fit starts. */
  readonly counts: Float64Array
  /** Components differ in the beginning by factors that are equal in each of these groups; else in each atom. */
  readonly start?: Partition
  /** So many codes, the first ones, have an order: none unless said. */
  readonly ordered?: number
}
