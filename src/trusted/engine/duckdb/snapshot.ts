import { checkQuery, type LinearQuery } from '../../../query/index.ts'
import { ReticentError, type Unit } from '../../../schema/index.ts'
import { seal } from '../../exact/seal.ts'
import { keyedHash } from '../../hash/index.ts'
import { run, type Scans } from '../answer.ts'
import type { Snapshot } from '../engine.ts'
import { type Plan, plan } from '../plan.ts'
import { lock, openSession, quietly, type Session } from './connection.ts'
import type { Column } from './encode.ts'
import { code, encodedSql, limitedSql } from './encoded.ts'
import type { DuckOptions } from './engine.ts'
import { contentDigest, type Look, lookAt, looksTheSame } from './fingerprint.ts'
import { createRecords, describeRecords, requireColumns } from './relation.ts'
import { scanHistogram, scanPushed } from './scan.ts'
import { verify } from './verify.ts'

/**
 * The files as they looked at one moment, and what was prepared from them: a connection that reads them and can do
 * nothing else, the handle of a DuckDB file, the places of the columns, the choice among a person's records.
 */
export class DuckdbSnapshot implements Snapshot {
  readonly #options: DuckOptions
  readonly #look: Look
  readonly #session: Session
  readonly #columns: ReadonlyMap<string, Column>
  /** One statement at a time on the one connection. */
  #last: Promise<unknown> = Promise.resolve()
  #limited = false
  /** Set once the source was seen to look different: what is read from then on may be other data. */
  #outdated = false

  private constructor(options: DuckOptions, look: Look, session: Session, columns: ReadonlyMap<string, Column>) {
    this.#options = options
    this.#look = look
    this.#session = session
    this.#columns = columns
  }

  static async open(options: DuckOptions, look: Look): Promise<DuckdbSnapshot> {
    const { source, universe, unit } = options
    const session = await openSession()
    try {
      await createRecords(session, source, look.files)
      await lock(session, look.files)
      const columns = await describeRecords(session)
      const names = universe.attributes.map((a) => a.name)
      requireColumns(columns, unit.kind === 'column' ? [...names, unit.column] : names)
      return new DuckdbSnapshot(options, look, session, columns)
    } catch (error) {
      await session.close()
      throw error
    }
  }

  get quick(): string {
    return this.#look.quick
  }

  isOf(look: Look): boolean {
    return !this.#outdated && looksTheSame(this.#look, look)
  }

  async answer(queries: readonly LinearQuery[]) {
    const { universe } = this.#options
    for (const q of queries) checkQuery(q, universe)
    const steps = plan(queries, universe)
    const answers = await this.#alone(() =>
      this.#withRecords(steps, (from) => run(queries, universe, steps, this.#scans(from))),
    )
    return answers.map((a) => seal(a))
  }

  full(): Promise<string> {
    const { source, key } = this.#options
    const { files } = this.#look
    return this.#alone(async () => {
      await verify(this.#session, files, source, () => this.#encodeAll())
      return contentDigest(source, files, key)
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
    const { source, key } = this.#options
    const now = this.#outdated ? undefined : await lookAt(source, key).catch(() => undefined)
    if (now && looksTheSame(this.#look, now)) return
    this.#outdated = true
    throw new ReticentError(
      'source-changed',
      {},
      { message: 'the source changed while it was read', hint: 'Ask again when nobody writes to it.' },
    )
  }

  /** For the full check. Choosing among a person's records is part of it: a machine too small shows before anybody pays. */
  async #encodeAll(): Promise<void> {
    const { universe, unit } = this.#options
    if (unit.kind === 'column') return this.#limit(unit)
    const all = [...universe.attributes.keys()]
    const read = ['count(*)', ...all.map((i) => `max(${code(i)})`)]
    await this.#session.connection.run(`SELECT ${read.join(', ')} FROM (${encodedSql(universe, this.#columns, all)})`)
  }

  /** Chooses every person's records from what the source holds now, in place of an earlier choice. */
  async #limit(unit: Extract<Unit, { kind: 'column' }>): Promise<void> {
    const { universe, key } = this.#options
    const choice = keyedHash(key, 'rows of one person')
    this.#limited = false
    await this.#session.connection.run('DROP TABLE IF EXISTS temp.main.limited')
    await this.#session.connection.run(
      `CREATE TEMP TABLE limited AS ${limitedSql(universe, this.#columns, unit, choice)}`,
    )
    this.#limited = true
  }

  #scans(from: (attributes: readonly number[]) => string): Scans {
    const { connection } = this.#session
    const { universe } = this.#options
    const attributesOf = (factors: object) => Object.keys(factors).map((name) => universe.index.get(name)!)
    return {
      histogram: (attributes) => scanHistogram(connection, from(attributes), attributes, universe),
      pushed: (scan, add) => {
        const used = new Set([...scan.by, ...scan.measures.flatMap(attributesOf)])
        return scanPushed(connection, from([...used]), scan, universe, add)
      },
    }
  }

  /**
   * Gives the work a relation of codes: made on the fly for every scan, or kept for the batch where several scans need
   * it (from two on where text must be parsed or an owner's view computed), or for good where a person's records had to
   * be chosen. Codes are small: nine attributes of census size take about ten bytes a record, and what does not fit spills.
   */
  async #withRecords<T>(steps: Plan, work: (from: (attributes: readonly number[]) => string) => Promise<T>) {
    const { connection } = this.#session
    const { source, universe, unit } = this.#options
    if (unit.kind === 'column') {
      if (!this.#limited) await this.#limit(unit)
      return work(() => 'temp.main.limited')
    }
    const encoded = (attributes: readonly number[]) => encodedSql(universe, this.#columns, attributes)
    const costly = this.#look.files.format === 'text' || source.sql !== undefined
    if (steps.histograms.length + steps.pushed.length < (costly ? 2 : 4)) return work((a) => `(${encoded(a)})`)
    const used = new Set([
      ...steps.histograms.flatMap((h) => h.attributes),
      ...steps.pushed.flatMap((p) => [
        ...p.by,
        ...p.measures.flatMap((m) => Object.keys(m).map((n) => universe.index.get(n)!)),
      ]),
    ])
    await connection.run(`CREATE TEMP TABLE kept AS ${encoded([...used])}`)
    try {
      return await work(() => 'temp.main.kept')
    } finally {
      await connection.run('DROP TABLE temp.main.kept')
    }
  }
}
