import type { Book } from '../trusted/ledger/index.ts'
import type { Approve, Meter, Quota } from '../trusted/meter/index.ts'
import type { Knowledge } from './knowledge.ts'

/** What questions and releases of an opened table are answered with, on behalf of one who asks. */
export interface Session {
  readonly book: Book
  /** What earlier answers say. */
  readonly knowledge: Pick<
    Knowledge,
    'about' | 'aboutGroup' | 'isConsulted' | 'isConsultedAfter' | 'isUniform' | 'isUsed'
  >
  readonly quota: Quota | null
  /** Says no, by throwing, to what the policy guards. */
  readonly approve: Approve
  /** Opens the data. Only what must be bought calls this: a free answer does without. */
  readonly meter: () => Promise<Meter>
  /** Uniform numbers below 1, for proofs and simulations about public numbers. */
  readonly random: () => number
  /** Told a share from 0 to 1; from public values alone. */
  readonly progress?: (share: number) => void
  /** When aborted, work stops at its next step and throws `interrupted`. */
  readonly signal?: AbortSignal
  /** Whether it is a plan, which says how precise an answer would be and buys nothing. */
  readonly isPlan?: boolean
}
