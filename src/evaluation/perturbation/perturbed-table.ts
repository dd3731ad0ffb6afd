/** Codes from … to of an attribute. */
export interface CodeRange {
  readonly attribute: number
  readonly from: number
  readonly to: number
}

/** A table whose values were perturbed one by one, and what can be told from it about the true one. */
export interface PerturbedTable {
  /** The distribution over these attributes, the last one running fastest: unbiased estimates, made a distribution. */
  joint(attributes: readonly number[]): Float64Array
  /** How many records lie in all of these ranges: unbiased. */
  count(ranges: readonly CodeRange[]): number
}
