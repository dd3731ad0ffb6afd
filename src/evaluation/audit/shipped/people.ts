import type { Session } from '../../../answer/index.ts'
import { rational, zero } from '../../../numeric/index.ts'
import { attribute, type Neighbours, type Unit, universe } from '../../../schema/index.ts'
import { Book, type PrivacyTerms } from '../../../trusted/ledger/index.ts'
import { Meter } from '../../../trusted/meter/index.ts'
import { memoryEngine, type RawRecord } from '../../memory-engine.ts'
import { memoryLedger } from '../../memory-ledger.ts'
import type { Output } from '../mechanism.ts'

/** The cap of every ledger here, which a release spends whole: what it claims. */
export const epsilon = rational(2)
export const dataset = 'people'
export const people = universe([
  attribute({ kind: 'values', name: 'sex', values: ['f', 'm'], other: false, closed: true }),
  attribute({ kind: 'integer', name: 'age', low: 0, high: 3, closed: true }),
])

export type Table = readonly RawRecord[]
export const row = (person: number, sex: string, age: number): RawRecord => ({ person, sex, age })
export const few: Table = [row(1, 'f', 1), row(2, 'm', 3), row(3, 'm', 0)]

/** What is promised besides ε: by default, one row, added or removed, and nothing beyond ε. */
export interface Promised {
  readonly unit?: Unit
  readonly neighbours?: Neighbours
  readonly delta?: PrivacyTerms['delta']
  /** The cap, where one table is asked again and again: ε of each output is what is claimed. */
  readonly cap?: PrivacyTerms['epsilon']
}

/** A new ledger over a tiny table, and the meter between it and the world. */
export async function openTable(rows: Table, promised: Promised): Promise<{ book: Book; meter: Meter }> {
  const { unit = { kind: 'row' }, neighbours = 'add-remove', delta = zero, cap = epsilon } = promised
  const privacy: PrivacyTerms = { unit, neighbours, epsilon: cap, delta, composition: delta.num > 0n ? 'zcdp' : 'pure' }
  const engine = memoryEngine({ rows, universe: people, unit })
  const fingerprint = await engine.full()
  const create = { kind: 'create', format: 1, dataset, privacy, attributes: people.attributes, fingerprint } as const
  const ledger = await memoryLedger(create, new Uint8Array(32))
  const book = await Book.open(ledger)
  return { book, meter: new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 }) }
}

/** Asks without a memory: what every question buys is all that its answer is made of. */
export const forgetful = (book: Book, meter: Meter): Session => ({
  book,
  knowledge: {
    about: () => undefined,
    aboutGroup: () => undefined,
    isConsulted: () => false,
    isConsultedAfter: () => false,
    isUniform: () => false,
    isUsed: () => false,
  },
  quota: null,
  approve: () => {},
  meter: async () => meter,
  random: () => 0.5,
})

/** All noisy numbers in the history, in steps: the answer, and everything else that the world sees, follows from them. */
export const published = (book: Book): Output =>
  book.releases.flatMap(({ measurements }) => measurements.flatMap(({ values }) => Array.from<number | bigint>(values)))
