import type { Integers, LinearQuery, MarginalList } from '../../../query/index.ts'
import type { Unit } from '../../../schema/index.ts'
import { keyedHash } from '../../hash/index.ts'
import { run } from './answer.ts'
import { requireColumns } from './columns.ts'
import type { Session } from './database.ts'
import type { Dialect } from './dialect.ts'
import { code, type Encoding, encodedSql, limitedSql } from './encoding/records.ts'
import { isOnePass, setsOf } from './pass/sets.ts'
import { type Plan, plan } from './plan.ts'
import type { Reading } from './reading.ts'
import { attributesOf, countsOf, type From, scansOf } from './scan.ts'

/** The records of one session as codes, and what is counted from them. One call at a time. */
export class Codes {
  readonly #session: Session
  readonly #reading: Reading
  readonly #encoding: Encoding
  /** The relation of the records that count, where they had to be chosen. */
  #chosen: string | undefined

  constructor(session: Session, dialect: Dialect, reading: Reading) {
    const { universe, unit } = reading
    const names = universe.attributes.map((a) => a.name)
    requireColumns(session.columns, unit.kind === 'column' ? [...names, unit.column] : names)
    this.#session = session
    this.#reading = reading
    this.#encoding = { dialect, universe, source: session }
  }

  answer(queries: readonly LinearQuery[]): Promise<Integers[]> {
    const { universe, dialect } = this.#encoding
    const steps = plan(queries, universe)
    const scans = (from: From) => scansOf(this.#session, dialect, universe, from)
    return this.#withRecords(steps, (from) => run(queries, universe, steps, scans(from)))
  }

  /** The counts of all these marginals, one after the other, from one reading of all records; undefined where that is not the way. */
  async counts(list: MarginalList): Promise<Float64Array | undefined> {
    const { universe } = this.#encoding
    const sets = setsOf(list, universe)
    if (!isOnePass(sets)) return undefined
    const once: Plan = { histograms: [], passes: [[]], pushed: [] }
    return this.#withRecords(once, (from) => countsOf(this.#session, universe, from, sets))
  }

  /** For the full check. Choosing among a person's records is part of it: a machine too small shows before anybody pays. */
  async encodeAll(): Promise<void> {
    const { universe, unit } = this.#reading
    if (unit.kind === 'column') return this.#choose(unit)
    const all = [...universe.attributes.keys()]
    const read = ['count(*)', ...all.map((i) => `max(${code(i)})`)]
    await this.#session.rows(`SELECT ${read.join(', ')} FROM (${encodedSql(this.#encoding, all)}) AS codes`, () => {})
  }

  /** Chooses every person's records, in place of an earlier choice. */
  async #choose(unit: Extract<Unit, { kind: 'column' }>): Promise<void> {
    const choice = keyedHash(this.#reading.key, 'rows of one person')
    this.#chosen = undefined
    this.#chosen = await this.#session.keep('limited', limitedSql(this.#encoding, unit, choice))
  }

  /**
   * Gives the work a relation of codes: made on the fly for every scan, or kept for the batch where several scans need
   * it (from two on where every scan is dear), or for good where a person's records had to be chosen. Codes are small:
   * nine attributes of census size take about ten bytes a record.
   */
  async #withRecords<T>({ histograms, passes, pushed }: Plan, work: (from: From) => Promise<T>): Promise<T> {
    const { universe, unit } = this.#reading
    if (unit.kind === 'column') {
      if (!this.#chosen) await this.#choose(unit)
      return work(() => this.#chosen!)
    }
    const encoded = (attributes: readonly number[]) => encodedSql(this.#encoding, attributes)
    const few = this.#session.isDear ? 2 : 4
    if (histograms.length + passes.length + pushed.length < few)
      return work((attributes) => `(${encoded(attributes)}) AS codes`)
    const used = new Set(pushed.flatMap((scan) => attributesOf(scan, universe)))
    for (const { attributes } of [...histograms, ...passes.flat()]) for (const a of attributes) used.add(a)
    const kept = await this.#session.keep('kept', encoded([...used]))
    try {
      return await work(() => kept)
    } finally {
      await this.#session.drop('kept')
    }
  }
}
