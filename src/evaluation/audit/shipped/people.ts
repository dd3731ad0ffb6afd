import type { Session } from '../../../answer/index.ts'
import { rational } from '../../../numeric/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import type { Book } from '../../../trusted/ledger/index.ts'
import type { Meter } from '../../../trusted/meter/index.ts'
import { memoryEngine, type RawRecord } from '../../memory-engine.ts'
import { type OpenMemory, openMemory, type Promised } from '../../open-memory.ts'
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

/** What is promised besides the cap's ε, or with another cap, where one table is asked again and again. */
export type AlsoPromised = Partial<Promised>

/** A new ledger over a tiny table, and the meter between it and the world. */
export const openTable = (rows: Table, promised: AlsoPromised): Promise<OpenMemory> =>
  openMemory(memoryEngine({ rows, universe: people, unit: promised.unit }), people, { epsilon, ...promised })

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
