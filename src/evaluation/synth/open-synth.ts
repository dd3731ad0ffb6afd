import { one, type Rational, zero } from '../../numeric/index.ts'
import type { SynthBudget, SynthContext } from '../../release/index.ts'
import type { Neighbours, Universe } from '../../schema/index.ts'
import { distanceSensitivity, rhoCap, scaleFor, unitsToRational, varianceFor } from '../../trusted/accounting/index.ts'
import type { Engine, Snapshot } from '../../trusted/engine/index.ts'
import { Book, type PrivacyTerms } from '../../trusted/ledger/index.ts'
import { Meter } from '../../trusted/meter/index.ts'
import { memoryLedger } from '../memory-ledger.ts'

/** What is promised for a table: (ε, δ) by itself; without δ, ε. */
export interface Promised {
  readonly epsilon: Rational
  readonly delta?: Rational
  readonly neighbours: Neighbours
}

/** What making a synthetic table needs, but for randomness: the shipped meter, prices, and all of the budget. */
export interface OpenSynth {
  readonly book: Book
  readonly budget: SynthBudget
  readonly context: Omit<SynthContext, 'random'>
}

const buyer = { analyst: null, statement: null }

/** A new ledger over a table in memory, whose cap is what may be spent. */
export async function openSynth(engine: Engine & Snapshot, universe: Universe, promised: Promised): Promise<OpenSynth> {
  const { epsilon, delta = zero, neighbours } = promised
  const hasDelta = delta.num > 0n
  const composition = hasDelta ? 'zcdp' : 'pure'
  const privacy: PrivacyTerms = { unit: { kind: 'row' }, neighbours, epsilon, delta, composition }
  const fingerprint = await engine.full()
  const ledger = await memoryLedger(
    { kind: 'create', format: 1, dataset: 'table', privacy, attributes: universe.attributes, fingerprint },
    new Uint8Array(32),
  )
  const book = await Book.open(ledger)
  const meter = new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 })
  const terms = { universe, privacy }
  return {
    book,
    budget: hasDelta ? { rho: unitsToRational(rhoCap(epsilon, delta)) } : { epsilon },
    context: {
      universe,
      unitNoise: (query) => (hasDelta ? varianceFor : scaleFor)(query, one, terms),
      distanceSensitivity: (query) => distanceSensitivity(query, terms),
      meter: {
        measure: (charges) => meter.measure({ ...buyer, charges }),
        openRun: (request) => meter.openRun({ ...buyer, ...request }),
        openDraws: (request) => meter.openDraws({ ...buyer, ...request }),
      },
    },
  }
}
