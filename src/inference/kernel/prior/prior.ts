import { problem, type Universe } from '../../../schema/index.ts'

/** What is believed of one attribute before any answer: a share for every code. */
export interface AttributePrior {
  readonly size: number
  /** Undefined: all codes alike. */
  readonly shares: Float64Array | undefined
  /** The shares of all codes below each code; undefined where all are alike. */
  readonly below: Float64Array | undefined
}

/** Attributes that do not depend on each other, in the universe's order. */
export type ProductPrior = readonly AttributePrior[]

/** Per attribute a weight for each code; undefined for an attribute of which nothing is known. */
export type PriorTables = readonly (ArrayLike<number> | undefined)[]

/**
 * Weights that are not negative, and not all 0 for an attribute; without any all codes are alike. A code with a share of 0 is believed to be impossible: no answer can change that.
 */
export function priorOf(universe: Universe, tables: PriorTables): ProductPrior {
  return universe.attributes.map(({ name, size }, place) => {
    const table = tables[place]
    if (!table) return { size, shares: undefined, below: undefined }
    const weights = Float64Array.from(table)
    const sum = weights.reduce((a, b) => a + b, 0)
    if (weights.length !== size || !(sum > 0) || !Number.isFinite(sum) || weights.some((weight) => weight < 0))
      throw problem(
        'query-invalid',
        `a prior of ${name} needs ${size} weights that are not negative, and not all of them 0`,
        undefined,
        { attribute: name, codes: size },
      )
    const shares = weights.map((weight) => weight / sum)
    const below = new Float64Array(size + 1)
    for (let code = 0; code < size; code++) below[code + 1] = below[code]! + shares[code]!
    return { size, shares, below }
  })
}

/** The share of the codes from … to. */
export const shareBetween = ({ size, below }: AttributePrior, from: number, to: number): number =>
  below ? below[to + 1]! - below[from]! : (to - from + 1) / size
