import type { Rows, TableModel } from '../../model/index.ts'
import type { Measurement } from '../../query/index.ts'
import type { CheckedTable } from './check.ts'
import type { PairVariations, SynthStep } from './method.ts'
import type { SynthMethodName } from './methods.ts'

/** A synthetic table: public numbers and their provenance. This is what gets published. */
export interface SyntheticTable {
  readonly dataset: string
  /** A method that buys, or one that is fitted to the history alone. */
  readonly method: SynthMethodName | 'mixture'
  /** Made from released answers alone: nothing was bought for it. */
  readonly free?: true
  /** The other options, as they were given, and what a fit chose and how near it is to the best one. */
  readonly parameters: { readonly [name: string]: string | number | readonly string[] }
  readonly neighbours: 'add-remove' | 'replace-one'
  /** What was paid for all of it: ε at δ and, if δ is above 0, ρ. */
  readonly cost: { readonly epsilon: number; readonly delta: number; readonly rho?: number }
  /** What its own noisy answers cost together, in the currency that they were bought in. */
  readonly budget: { readonly epsilon: number } | { readonly rho: number }
  /** The number of records of the private table, as far as it is known, and from where. */
  readonly records: { readonly count: number; readonly from: 'public' | 'history' | 'bought' }
  readonly model: TableModel
  /** Repeats the release on records drawn from the model, and measures the error there. Takes as long as a few fits. */
  readonly rehearsal?: () => Promise<PairVariations>
  /** The records themselves, as codes. */
  readonly rows: Rows
  /** Uniform on [0, 1), for details that codes leave open, such as the day of a month. */
  readonly random: () => number
  /** What was bought, in order. */
  readonly steps: readonly SynthStep[]
  /** The noisy answers that were bought for it, and those of the history that entered the fit. */
  readonly measured: readonly Measurement[]
  readonly known: readonly Measurement[]
  /** A noisy score of its distance from the private table, if that was bought. */
  readonly check?: CheckedTable
  /** In plain words; empty if there are none. */
  readonly warnings: readonly string[]
  /** The receipt of the ledger's last row. */
  readonly receipt: string
}
