import type { CodedTable } from '../marginals/index.ts'
import { type OpenSynth, openSynth, type Promised } from './open-synth.ts'
import { rowsEngine } from './rows-engine.ts'

/** A new ledger over coded rows in memory, and what making a synthetic table of them needs. */
export const openRows = (table: CodedTable, promised: Promised): Promise<OpenSynth> =>
  openSynth(rowsEngine(table), table.universe, promised)
