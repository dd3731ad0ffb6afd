import { one, type Rational, zero } from '../numeric/index.ts'
import type { SynthBudget, SynthContext } from '../release/index.ts'
import type { Neighbours, Unit, Universe } from '../schema/index.ts'
import { distanceSensitivity, rhoCap, scaleFor, unitsToRational, varianceFor } from '../trusted/accounting/index.ts'
import type { Engine, Snapshot } from '../trusted/engine/index.ts'
import { Book, type PrivacyTerms } from '../trusted/ledger/index.ts'
import { Meter } from '../trusted/meter/index.ts'
import { memoryLedger } from './memory-ledger.ts'

/** What is promised for a table: ε, or with a δ (ε, δ); one row, added or removed, unless said. */
export interface Promised {
  readonly epsilon: Rational
  readonly delta?: Rational
  readonly unit?: Unit
  readonly neighbours?: Neighbours
}

/** A new ledger in memory, and the shipped meter between a table and the world. */
export interface OpenMemory {
  readonly book: Book
  readonly meter: Meter
}

/** A new ledger over a table in memory, whose cap is what may be spent. */
export async function openMemory(
  engine: Engine & Snapshot,
  { attributes }: Universe,
  { epsilon, delta = zero, unit = { kind: 'row' }, neighbours = 'add-remove' }: Promised,
): Promise<OpenMemory> {
  const composition = delta.num > 0n ? 'zcdp' : 'pure'
  const privacy: PrivacyTerms = { unit, neighbours, epsilon, delta, composition }
  const fingerprint = await engine.full()
  const ledger = await memoryLedger(
    { kind: 'create', format: 1, dataset: 'table', privacy, attributes, fingerprint },
    new Uint8Array(32),
  )
  const book = await Book.open(ledger)
  return { book, meter: new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 }) }
}

/** What a release needs, but for randomness: the shipped meter, prices in ε or ρ, and all of the budget. */
export interface OpenRelease {
  readonly book: Book
  readonly budget: SynthBudget
  readonly context: Omit<SynthContext, 'random' | 'progress' | 'signal'>
}

const buyer = { analyst: null, statement: null }

export async function openRelease(
  engine: Engine & Snapshot,
  universe: Universe,
  promised: Promised,
): Promise<OpenRelease> {
  const { book, meter } = await openMemory(engine, universe, promised)
  const { epsilon, delta } = promised
  const terms = { universe, privacy: book.terms }
  return {
    book,
    budget: delta ? { rho: unitsToRational(rhoCap(epsilon, delta)) } : { epsilon },
    context: {
      universe,
      unitNoise: (query) => (delta ? varianceFor : scaleFor)(query, one, terms),
      distanceSensitivity: (query) => distanceSensitivity(query, terms),
      meter: {
        measure: (charges) => meter.measure({ ...buyer, charges }),
        openRun: (request) => meter.openRun({ ...buyer, ...request }),
        openDraws: (request) => meter.openDraws({ ...buyer, ...request }),
      },
    },
  }
}
