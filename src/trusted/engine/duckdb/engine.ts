import { checkQuery, type LinearQuery } from '../../../query/index.ts'
import type { Unit, Universe } from '../../../schema/index.ts'
import { seal } from '../../exact/seal.ts'
import { keyedHash } from '../../hash/index.ts'
import { run, type Scans } from '../answer.ts'
import type { Engine } from '../engine.ts'
import { type Plan, plan } from '../plan.ts'
import { lock, openSession, quietly, type Session } from './connection.ts'
import type { Column } from './encode.ts'
import { code, encodedSql, limitedSql } from './encoded.ts'
import { type Files, resolveFiles } from './files.ts'
import { fingerprint } from './fingerprint.ts'
import { createRecords, type DuckSource, describeRecords, requireColumns } from './relation.ts'
import { scanHistogram, scanPushed } from './scan.ts'
import { verify } from './verify.ts'

export interface DuckOptions {
  readonly source: DuckSource
  readonly universe: Universe
  readonly unit: Unit
  readonly key: Uint8Array
}

/** Opens files through DuckDB: a connection of its own that reads them and can do nothing else. */
export const openDuckdb = (options: DuckOptions): Promise<Engine> => quietly(() => openFiles(options))

async function openFiles(options: DuckOptions): Promise<Engine> {
  const files = await resolveFiles(options.source.path)
  const session = await openSession()
  try {
    await createRecords(session, options.source, files)
    await lock(session, files.paths)
    const columns = await describeRecords(session)
    const { universe, unit } = options
    requireColumns(columns, [
      ...universe.attributes.map((a) => a.name),
      ...(unit.kind === 'column' ? [unit.column] : []),
    ])
    return new DuckdbEngine(options, files, session, columns)
  } catch (error) {
    await session.close()
    throw error
  }
}

class DuckdbEngine implements Engine {
  private readonly options: DuckOptions
  private readonly files: Files
  private readonly session: Session
  private readonly columns: ReadonlyMap<string, Column>
  /** One statement at a time on the one connection. */
  private last: Promise<unknown> = Promise.resolve()
  private limited = false

  constructor(options: DuckOptions, files: Files, session: Session, columns: ReadonlyMap<string, Column>) {
    this.options = options
    this.files = files
    this.session = session
    this.columns = columns
  }

  async answer(queries: readonly LinearQuery[]) {
    const { universe } = this.options
    for (const q of queries) checkQuery(q, universe)
    const steps = plan(queries, universe)
    const answers = await this.alone(() =>
      this.withRecords(steps, (from) => run(queries, universe, steps, this.scans(from))),
    )
    return answers.map((a) => seal(a))
  }

  async fingerprint(depth: 'quick' | 'full') {
    const { source, key } = this.options
    if (depth === 'full') {
      await this.alone(() => verify(this.session, this.files, source, () => this.encodeAll()))
    }
    return quietly(() => fingerprint(source, this.files, key, depth))
  }

  async close() {
    await this.last
    await this.session.close()
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => quietly(work))
    this.last = turn.catch(() => undefined)
    return turn
  }

  /** For the full check. Choosing among a person's records is part of it: a machine too small shows before anybody pays. */
  private async encodeAll(): Promise<void> {
    const { universe, unit } = this.options
    if (unit.kind === 'column') return this.limit(unit)
    const all = [...universe.attributes.keys()]
    const read = ['count(*)', ...all.map((i) => `max(${code(i)})`)]
    await this.session.connection.run(`SELECT ${read.join(', ')} FROM (${encodedSql(universe, this.columns, all)})`)
  }

  /** Chooses every person's records from what the source holds now, in place of an earlier choice. */
  private async limit(unit: Extract<Unit, { kind: 'column' }>): Promise<void> {
    const { universe, key } = this.options
    const choice = keyedHash(key, 'rows of one person')
    this.limited = false
    await this.session.connection.run('DROP TABLE IF EXISTS temp.main.limited')
    await this.session.connection.run(
      `CREATE TEMP TABLE limited AS ${limitedSql(universe, this.columns, unit, choice)}`,
    )
    this.limited = true
  }

  private scans(from: (attributes: readonly number[]) => string): Scans {
    const { connection } = this.session
    const { universe } = this.options
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
  private async withRecords<T>(steps: Plan, work: (from: (attributes: readonly number[]) => string) => Promise<T>) {
    const { connection } = this.session
    const { source, universe, unit } = this.options
    if (unit.kind === 'column') {
      if (!this.limited) await this.limit(unit)
      return work(() => 'temp.main.limited')
    }
    const encoded = (attributes: readonly number[]) => encodedSql(universe, this.columns, attributes)
    const costly = this.files.format === 'text' || source.sql !== undefined
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
