import { answerSheet, DenseModel } from '../../model/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Engine, Snapshot } from '../../trusted/engine/index.ts'
import { seal } from '../../trusted/exact/seal.ts'
import { type OpenSynth, openSynth, type Promised } from './open-synth.ts'

/** A table as the number of records in each cell, the last attribute running fastest. */
export interface CellTable {
  readonly universe: Universe
  readonly counts: Float64Array
}

/** An engine that has counted every cell already. */
function cellEngine({ universe, counts }: CellTable): Engine & Snapshot {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const model = new DenseModel(universe, total, {}, counts)
  const engine: Engine & Snapshot = {
    snapshot: async () => engine,
    quick: 'cells',
    full: async () => 'cells',
    answer: async (queries) => {
      const sheet = answerSheet(queries, universe)
      model.fill(sheet, [...queries.keys()])
      // Sums of whole numbers: what is not whole is rounding.
      return queries.map((_, i) => seal(sheet.values.slice(sheet.starts[i], sheet.starts[i + 1]).map(Math.round)))
    },
    close: async () => undefined,
  }
  return engine
}

/** A new ledger over counts of all cells in memory, and what making a synthetic table of them needs. */
export const openCells = (table: CellTable, promised: Promised): Promise<OpenSynth> =>
  openSynth(cellEngine(table), table.universe, promised)
