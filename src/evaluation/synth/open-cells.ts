import { answerSheet, DenseModel } from '../../model/index.ts'
import type { Universe } from '../../schema/index.ts'
import { fixedEngine } from '../fixed-engine.ts'
import { type OpenRelease, openRelease, type Promised } from '../open-memory.ts'

/** A table as the number of records in each cell, the last attribute running fastest. */
export interface CellTable {
  readonly universe: Universe
  readonly counts: Float64Array
}

/** An engine that has counted every cell already. */
function cellEngine({ universe, counts }: CellTable) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const model = new DenseModel(universe, total, {}, counts)
  return fixedEngine('cells', (queries) => {
    const sheet = answerSheet(queries, universe)
    model.fill(sheet, [...queries.keys()])
    // Sums of whole numbers: what is not whole is rounding.
    return queries.map((_, i) => sheet.values.slice(sheet.starts[i], sheet.starts[i + 1]).map(Math.round))
  })
}

/** A new ledger over counts of all cells in memory, and what making a synthetic table of them needs. */
export const openCells = (table: CellTable, promised: Promised): Promise<OpenRelease> =>
  openRelease(cellEngine(table), table.universe, promised)
