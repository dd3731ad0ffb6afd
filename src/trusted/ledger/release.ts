import type { Grid, Measurement } from '../../query/index.ts'
import type { Charge, MeasurementCharge, Spending } from '../accounting/index.ts'

/** One purchase from the ledger: who asked what, and the noisy answers once they were recorded. */
export interface Release {
  readonly seq: number
  readonly at: string
  readonly analyst: string | null
  readonly statement: string | null
  readonly kind: 'reserve' | 'refine' | 'run-open'
  /** What was paid for; for a closed run, at its final scales. */
  readonly charges: readonly Charge[]
  /** The measurement that this one refines, which it takes the place of. */
  readonly refines: string | null
  /** The scales that a run may lower its noise by. */
  readonly grid: Grid | null
  /** What a run holds for every record while it is open. */
  readonly held: Spending
  /** The most precise answer that a run may reveal to each of its queries: the same charges each time. */
  readonly reach: () => readonly MeasurementCharge[]
  /** open: paid for, not yet recorded; void: it never will be. */
  readonly state: 'open' | 'recorded' | 'void'
  readonly measurements: readonly Measurement[]
}
