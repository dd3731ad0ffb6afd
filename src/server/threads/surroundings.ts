import type { Dataset } from '../../index.ts'

/** What work of a thread is given beside what it is asked. */
export interface Surroundings {
  readonly data: Dataset
  readonly signal: AbortSignal
  readonly progress: (share: number, doing: string | null) => void
}
