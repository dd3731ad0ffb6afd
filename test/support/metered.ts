import { memoryEngine, memoryLedger, type RawRecord } from '../../src/evaluation/index.ts'
import { one, rational } from '../../src/numeric/index.ts'
import { countAll, type LinearQuery, type NoiseLaw } from '../../src/query/index.ts'
import { attribute, type Privacy, type Universe, universe } from '../../src/schema/index.ts'
import type { Engine, Snapshot } from '../../src/trusted/engine/index.ts'
import { withoutSnapshot } from '../../src/trusted/hash/index.ts'
import { type Append, Book, type Create, type Ledger } from '../../src/trusted/ledger/index.ts'
import { type Approve, Meter, type Quota } from '../../src/trusted/meter/index.ts'

export const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 9, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: false }),
])
/** Fifty of every age. */
export const rows = Array.from({ length: 500 }, (_, i) => ({ age: i % 10, member: i % 2 === 0 }))
export const promise = {
  unit: { kind: 'row' },
  neighbours: 'add-remove',
  epsilon: one,
  delta: rational(0),
  composition: 'pure',
} as const

/** Noise at which a count costs this ε, in hundredths. */
export const laplace = (epsilon: number): NoiseLaw & { kind: 'laplace' } => ({
  kind: 'laplace',
  scale: rational(100, Math.round(epsilon * 100)),
})
export const ages = (from: number, to: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from, to } } }],
})

/** A meter over data in memory; `log` tells the order of what happened. */
export async function metered(
  options: {
    readonly privacy?: Omit<Privacy, 'analysts'>
    readonly approve?: Approve
    readonly rows?: readonly RawRecord[]
    /** The same already read, for those who ask about many rows again and again. */
    readonly source?: Engine & Snapshot
    readonly over?: Universe
    /** Whether the source keeps no snapshots. */
    readonly unpinned?: boolean
    /** Where the rows are kept: in memory unless said otherwise. */
    readonly keep?: (create: Create, secret: Uint8Array) => Promise<Ledger>
  } = {},
) {
  const { privacy = promise, approve = () => {}, over = people, keep = memoryLedger } = options
  const log: string[] = []
  const real = options.source ?? memoryEngine({ rows: options.rows ?? rows, universe: over })
  const full = async () => (options.unpinned ? withoutSnapshot(await real.full()) : real.full())
  const fingerprint = await full()
  const stored = await keep(
    { kind: 'create', format: 1, dataset: 'people', privacy, attributes: over.attributes, fingerprint },
    new Uint8Array(32),
  )
  const append: Append = async (row, expect) => {
    log.push(row.kind)
    return stored.append(row, expect)
  }
  const ledger: Ledger = {
    read: (after, known) => stored.read(after, known),
    append,
    inTurn: (work) => work(append),
    secret: () => stored.secret(),
    note: (name) => stored.note(name),
    setNote: (name, value) => stored.setNote(name, value),
    alone: (work, before) => stored.alone(work, before),
    close: () => stored.close(),
  }
  const engine: Engine & Snapshot = {
    ...real,
    snapshot: async () => engine,
    full,
    answer: (queries) => {
      log.push('answer')
      return real.answer(queries)
    },
  }
  const book = await Book.open(ledger)
  const meter = new Meter({ book, ledger, engine, approve, epoch: book.epochs })
  const buy = (query: LinearQuery, law: NoiseLaw, analyst: Quota | null = null) =>
    meter.measure({ charges: [{ query, law }], analyst, statement: null })
  return { log, ledger, engine, book, meter, buy }
}
