import { one, type Rational, zero } from '../../numeric/index.ts'
import type { MarginalsContext } from '../../release/index.ts'
import type { Neighbours } from '../../schema/index.ts'
import { scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import { Book, type PrivacyTerms } from '../../trusted/ledger/index.ts'
import { Meter } from '../../trusted/meter/index.ts'
import { memoryLedger } from '../memory-ledger.ts'
import type { Counted } from './count.ts'
import { countedEngine } from './counted-engine.ts'

const buyer = { analyst: null, statement: null }

/**
 * A new ledger with this cap over counts in memory, and what a release of marginals needs: the shipped meter, and prices, in ε
 * or, with a δ, in ρ.
 */
export async function openCounted(
  counted: Counted,
  { epsilon, delta = zero, neighbours }: { epsilon: Rational; delta?: Rational; neighbours: Neighbours },
): Promise<{ book: Book; context: MarginalsContext }> {
  const { universe } = counted
  const { attributes } = universe
  const engine = countedEngine(counted)
  const privacy: PrivacyTerms = {
    unit: { kind: 'row' },
    neighbours,
    epsilon,
    delta,
    composition: delta.num > 0n ? 'zcdp' : 'pure',
  }
  const fingerprint = await engine.full()
  const ledger = await memoryLedger(
    { kind: 'create', format: 1, dataset: 'table', privacy, attributes, fingerprint },
    new Uint8Array(32),
  )
  const book = await Book.open(ledger)
  const meter = new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 })
  return {
    book,
    context: {
      universe,
      unitNoise: (query) => (delta.num > 0n ? varianceFor : scaleFor)(query, one, { universe, privacy }),
      meter: {
        measure: (charges) => meter.measure({ ...buyer, charges }),
        openRun: (request) => meter.openRun({ ...buyer, ...request }),
        openDraws: (request) => meter.openDraws({ ...buyer, ...request }),
      },
    },
  }
}
