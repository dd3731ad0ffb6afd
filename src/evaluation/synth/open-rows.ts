import type { CodedTable } from '../marginals/index.ts'
import { type OpenRelease, openRelease, type Promised } from '../open-memory.ts'
import { rowsEngine } from './rows-engine.ts'

/** A new ledger over coded rows in memory, and what making a synthetic table of them needs. */
export const openRows = (table: CodedTable, promised: Promised): Promise<OpenRelease> =>
  openRelease(rowsEngine(table), table.universe, promised)
