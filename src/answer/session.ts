import type { Book } from '../trusted/ledger/index.ts'
import type { Approve, Meter, Quota } from '../trusted/meter/index.ts'
import type { Knowledge } from './knowledge.ts'

/** What it takes to answer questions and releases about an open table, on behalf of one analyst. */
export interface Session {
  readonly book: Book
  /** What earlier answers say. */
  readonly knowledge: Pick<
    Knowledge,
    'about' | 'aboutGroup' | 'isConsulted' | 'isConsultedAfter' | 'isUniform' | 'isUsed'
  >
  readonly quota: Quota | null
  /** Throws if a guard of the policy refuses the purchase. */
  readonly approve: Approve
  /** Opens the data. Called only for purchases: a free answer does not need it. */
  readonly meter: () => Promise<Meter>
  /** Uniform numbers below 1, for proofs and simulations about public numbers. */
  readonly random: () => number
  /** Called with a share from 0 to 1, which depends on public values only. */
  readonly progress?: (share: number) => void
  /** When aborted, work stops at its next step and throws `interrupted`. */
  readonly signal?: AbortSignal
  /** Whether it is a plan, which says how precise an answer would be and buys nothing. */
  readonly isPlan?: boolean
}
