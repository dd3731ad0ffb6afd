import type { NoiseLaw } from '../../query/index.ts'
import type { Attribute } from '../../schema/index.ts'
import type { MethodName } from './methods/index.ts'

/** Released marginals: public numbers and their provenance. This is what gets published. */
export interface MarginalTables {
  readonly dataset: string
  /** How noise was allocated; null if nothing was bought and everything is from the history. */
  readonly method: MethodName | null
  /** `gaussian` if all measurements have Gaussian noise, so that scales are standard deviations. */
  readonly noise: 'laplace' | 'gaussian'
  /** What was paid for all of it: ε at δ. */
  readonly epsilon: number
  readonly delta: number
  readonly neighbours: 'add-remove' | 'replace-one'
  readonly records: RecordsUsed
  /** Errors of counts below the floor are taken relative to it. */
  readonly floor: number
  /** Only measured values are published. */
  readonly raw: boolean
  /** Every table of counts adds up to this. */
  readonly total: number
  readonly tables: readonly MarginalTable[]
  readonly expected: ExpectedError
  /** In plain words; empty if there are none. */
  readonly warnings: readonly string[]
  /** The receipt of the ledger's last row. */
  readonly receipt: string
}

/** The number of records that scales and floor were computed from; where they needed none, the one that the tables add up to. */
export interface RecordsUsed {
  readonly count: number
  readonly from: 'public' | 'history' | 'bought' | 'tables'
  /** Where it was bought: what it cost, in ρ too with a δ in the policy, and the scale of its noise. */
  readonly epsilon?: number
  readonly rho?: number
  readonly scale?: number
}

/** Overall errors to expect (iReduct paper, Definition 6), by bootstrap from the released values. */
export interface ExpectedError {
  /** Of the measured values; absent where some table was never measured itself. */
  readonly measured?: number
  readonly counts: number
  /** What tables of zeros would have. */
  readonly zeros: number
  /** The median of what tables are expected to have, of the values that are published. */
  readonly median?: number
}

/** One marginal. The last attribute runs fastest in every array. */
export interface MarginalTable {
  readonly attributes: readonly Attribute[]
  /** Non-negative integers that add up to `total`. */
  readonly counts: Float64Array
  /** Best linear estimates: they agree across tables. */
  readonly combined: Float64Array
  /** The half-width of the 95% interval around each. */
  readonly within: number
  /** The table's own noisy answers; absent if it was never measured itself. */
  readonly measured?: MeasuredTable
  /** A guard of the policy did not allow less noise. */
  readonly heldBack?: true
  readonly expected: ExpectedError
}
export interface MeasuredTable {
  readonly values: Float64Array
  readonly within: number
  /**
   * Of the noise in `values`: of the only answer, or that of a law with the variance that several have together, which is
   * Laplace's unless all of them are Gaussian. The scale of a Gaussian law is its standard deviation.
   */
  readonly scale: number
  /** Of the noise in `values`: its standard deviation, whatever the law. */
  readonly deviation: number
  /** What `values` were made of. */
  readonly answers: readonly { readonly law: NoiseLaw['kind']; readonly scale: number }[]
  /** What it cost by itself; with a δ in the policy also in ρ, in which prices add up. */
  readonly epsilon: number
  readonly rho?: number
}

/** The confidence of every interval that is published. */
export const confidence = 0.95
