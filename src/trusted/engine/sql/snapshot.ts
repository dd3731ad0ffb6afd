import { checkQuery, type LinearQuery } from '../../../query/index.ts'
import type { Unit } from '../../../schema/index.ts'
import { seal } from '../../exact/seal.ts'
import { keyedHash } from '../../hash/index.ts'
import type { Snapshot } from '../engine.ts'
import { run } from './answer.ts'
import { requireColumns } from './columns.ts'
import type { Database, Look, Session } from './database.ts'
import type { Reading } from './engine.ts'
import { quietly, sourceChanged } from './errors.ts'
import { type Plan, plan } from './plan.ts'
import { code, type Encoding, encodedSql, limitedSql } from './records.ts'
import { attributesOf, scansOf } from './scan.ts'
import { verify } from './verify.ts'

export const isSame = (a: Look, b: Look): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The source as it looked at one moment, and what was prepared from it: a session, the handles and the places of columns
 * that it holds, the choice among a person's records.
 */
export class SqlSnapshot implements Snapshot {
  readonly #database: Database
  readonly #look: Look
  readonly #reading: Reading
  readonly #session: Session
  readonly #encoding: Encoding
  /** One statement at a time on the one connection. */
  #last: Promise<unknown> = Promise.resolve()
  /** The relation of the records that count, where they had to be chosen. */
  #chosen: string | undefined
  /** Set once the source was seen to look different: what is read from then on may be other data. */
  #outdated = false

  private constructor(database: Database, look: Look, reading: Reading, session: Session) {
    this.#database = database
    this.#look = look
    this.#reading = reading
    this.#session = session
    this.#encoding = { dialect: database.dialect, universe: reading.universe, source: session }
  }

  static async open(database: Database, look: Look, reading: Reading): Promise<SqlSnapshot> {
    const { universe, unit } = reading
    const session = await database.open(look)
    try {
      const names = universe.attributes.map((a) => a.name)
      requireColumns(session.columns, unit.kind === 'column' ? [...names, unit.column] : names)
      return new SqlSnapshot(database, look, reading, session)
    } catch (error) {
      await session.close()
      throw error
    }
  }

  get quick(): string {
    return this.#look.quick
  }

  isOf(look: Look): boolean {
    return !this.#outdated && isSame(this.#look, look)
  }

  async answer(queries: readonly LinearQuery[]) {
    const { universe } = this.#reading
    for (const q of queries) checkQuery(q, universe)
    const steps = plan(queries, universe)
    const answers = await this.#alone(() =>
      this.#withRecords(steps, (from) =>
        run(queries, universe, steps, scansOf(this.#session, this.#database.dialect, universe, from)),
      ),
    )
    return answers.map((a) => seal(a))
  }

  full(): Promise<string> {
    return this.#alone(async () => {
      const reports = await this.#database.reports(this.#look)
      await verify(this.#session, reports, () => this.#encodeAll())
      return this.#database.digest(this.#look, this.#reading.key)
    })
  }

  async close() {
    this.#outdated = true
    await this.#last
    await this.#session.close()
  }

  /** Work counts only where the source looked as it did, before and after. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() =>
      quietly(async () => {
        await this.#check()
        const result = await work()
        await this.#check()
        return result
      }),
    )
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #check(): Promise<void> {
    const now = this.#outdated ? undefined : await this.#database.look(this.#reading.key).catch(() => undefined)
    if (now && isSame(this.#look, now)) return
    this.#outdated = true
    throw sourceChanged('the source changed while it was read')
  }

  /** For the full check. Choosing among a person's records is part of it: a machine too small shows before anybody pays. */
  async #encodeAll(): Promise<void> {
    const { universe, unit } = this.#reading
    if (unit.kind === 'column') return this.#choose(unit)
    const all = [...universe.attributes.keys()]
    const read = ['count(*)', ...all.map((i) => `max(${code(i)})`)]
    await this.#session.rows(`SELECT ${read.join(', ')} FROM (${encodedSql(this.#encoding, all)}) AS codes`, () => {})
  }

  /** Chooses every person's records from what the source holds now, in place of an earlier choice. */
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
  async #withRecords<T>(steps: Plan, work: (from: (attributes: readonly number[]) => string) => Promise<T>) {
    const { universe, unit } = this.#reading
    if (unit.kind === 'column') {
      if (!this.#chosen) await this.#choose(unit)
      return work(() => this.#chosen!)
    }
    const encoded = (attributes: readonly number[]) => encodedSql(this.#encoding, attributes)
    const few = this.#session.isDear ? 2 : 4
    if (steps.histograms.length + steps.pushed.length < few) return work((a) => `(${encoded(a)}) AS codes`)
    const used = new Set([
      ...steps.histograms.flatMap((h) => h.attributes),
      ...steps.pushed.flatMap((p) => attributesOf(p, universe)),
    ])
    const kept = await this.#session.keep('kept', encoded([...used]))
    try {
      return await work(() => kept)
    } finally {
      await this.#session.drop('kept')
    }
  }
}
