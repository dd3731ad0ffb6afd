import type { Unit, Universe } from '../../../schema/index.ts'

/** How the records of a source are to be read. */
export interface Reading {
  readonly universe: Universe
  readonly unit: Unit
  /** The ledger's secret: for fingerprints and for the choice among one person's rows. */
  readonly key: Uint8Array
  /** Whether the codes of all attributes are kept from the first question on, and not only of those that are asked about again. */
  readonly warm?: boolean
}
