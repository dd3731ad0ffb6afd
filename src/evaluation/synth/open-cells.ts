import { compare, one, type Rational, zero } from '../../numeric/index.ts'
import { answerSheet, DenseModel, type SynthContext } from '../../release/index.ts'
import type { Neighbours, Universe } from '../../schema/index.ts'
import { distanceSensitivity, scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import type { Engine, Snapshot } from '../../trusted/engine/index.ts'
import { seal } from '../../trusted/exact/seal.ts'
import { Book, type PrivacyTerms } from '../../trusted/ledger/index.ts'
import { Meter } from '../../trusted/meter/index.ts'
import { memoryLedger } from '../memory-ledger.ts'

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

const buyer = { analyst: null, statement: null }

/** A new ledger with this cap over a table in memory, and what making a synthetic table needs: the shipped meter, and prices. */
export async function openCells(
  table: CellTable,
  {
    epsilon,
    delta = zero,
    neighbours,
  }: { readonly epsilon: Rational; readonly delta?: Rational; readonly neighbours: Neighbours },
): Promise<{ book: Book; context: Omit<SynthContext, 'random'> }> {
  const { universe } = table
  const { attributes } = universe
  const hasDelta = compare(delta, zero) > 0
  const composition = hasDelta ? 'zcdp' : 'pure'
  const privacy: PrivacyTerms = { unit: { kind: 'row' }, neighbours, epsilon, delta, composition }
  const engine = cellEngine(table)
  const fingerprint = await engine.full()
  const ledger = await memoryLedger(
    { kind: 'create', format: 1, dataset: 'table', privacy, attributes, fingerprint },
    new Uint8Array(32),
  )
  const book = await Book.open(ledger)
  const meter = new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 })
  const terms = { universe, privacy }
  return {
    book,
    context: {
      universe,
      unitNoise: (query) => (hasDelta ? varianceFor(query, one, terms) : scaleFor(query, one, terms)),
      distanceSensitivity: (query) => distanceSensitivity(query, terms),
      meter: {
        measure: (charges) => meter.measure({ ...buyer, charges }),
        openRun: (request) => meter.openRun({ ...buyer, ...request }),
        openDraws: (request) => meter.openDraws({ ...buyer, ...request }),
      },
    },
  }
}
