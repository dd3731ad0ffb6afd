import { type OpenRelease, openRelease, type Promised } from '../open-memory.ts'
import type { Counted } from './count.ts'
import { countedEngine } from './counted-engine.ts'

/** A new ledger over counts in memory, and what a release of marginals needs. */
export const openCounted = (counted: Counted, promised: Promised): Promise<OpenRelease> =>
  openRelease(countedEngine(counted), counted.universe, promised)
