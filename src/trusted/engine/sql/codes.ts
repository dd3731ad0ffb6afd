import type { Integers, LinearQuery, MarginalList } from '../../../query/index.ts'
import type { Unit } from '../../../schema/index.ts'
import { keyedHash } from '../../hash/index.ts'
import { run } from './answer.ts'
import { requireColumns } from './columns.ts'
import type { Session } from './database.ts'
import type { Dialect } from './dialect.ts'
import { code, countedSql, type Encoding, encodedSql, groupsSql, limitedSql } from './encoding/records.ts'
import { double } from './encoding/words.ts'
import { KeptHistograms } from './histogram/kept-histograms.ts'
import { isOnePass, membersOf, setsOf } from './pass/sets.ts'
import { type Plan, plan } from './plan.ts'
import type { Reading } from './reading.ts'
import type { Counted } from './remote.ts'
import { attributesOf, countsOf, type From, type Relation, scansOf } from './scan.ts'

/** The records of one session as codes, and what is counted from them. One call at a time. */
export class Codes {
  readonly #session: Session
  readonly #reading: Reading
  readonly #encoding: Encoding
  /** The relation of the records that count, where they had to be chosen. */
  #chosen: string | undefined
  /** The attributes that earlier questions looked at. */
  readonly #asked = new Set<number>()
  /** The relation of the codes that are kept, and their attributes; they go when the session does. */
  #kept: { readonly relation: string; readonly attributes: ReadonlySet<number> } | undefined
  /** Of the codes that are kept or chosen, which stay as they are. */
  #histograms = new KeptHistograms()
  /** Set where codes could not be kept, for want of space: then it is not tried again. */
  #cannotKeep = false

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
    const { isRemote, isColumnar } = this.#session
    const { unit, warm } = this.#reading
    // Where a person's records are chosen, every scan chooses them anew.
    const isCheap = isColumnar && unit.kind === 'row'
    const steps = plan(queries, universe, { isRemote, isWarm: warm, isCheap })
    return this.#withRecords(steps, (relation) =>
      run(queries, universe, steps, scansOf(this.#session, dialect, universe, relation)),
    )
  }

  /** The counts of all these marginals, one after the other, from one reading of all records; undefined where that is not the way. */
  async counts(list: MarginalList): Promise<Float64Array | undefined> {
    const { universe } = this.#encoding
    const sets = setsOf(list, universe)
    if (this.#session.isRemote || !isOnePass(sets)) return undefined
    const all = { attributes: membersOf(sets, universe), queries: [] }
    const once: Plan = { histograms: [], passes: [[all]], pushed: [] }
    return this.#withRecords(once, ({ from }) => countsOf(this.#session, universe, from, sets))
  }

  /** For the full check. Choosing among a person's records is part of it: a machine too small shows before anybody pays. */
  async encodeAll(): Promise<void> {
    const { universe, unit } = this.#reading
    if (unit.kind === 'column') {
      await this.#choose(unit)
      return this.#session.rows(`SELECT ${double('count(*)')} FROM ${this.#chosen}`, () => {})
    }
    const all = [...universe.attributes.keys()]
    const read = ['count(*)', ...all.map((i) => `max(${code(i)})`)]
    await this.#session.rows(`SELECT ${read.join(', ')} FROM (${encodedSql(this.#encoding, all)}) AS codes`, () => {})
  }

  /** Keeps the codes of all attributes, where records are not elsewhere and need not be chosen. */
  async keepAll(): Promise<void> {
    const { unit, universe } = this.#reading
    if (unit.kind === 'column') {
      if (!this.#chosen) await this.#choose(unit)
    } else if (!this.#session.isRemote) await this.#keep([...universe.attributes.keys()])
  }

  /**
   * The relation of kept codes that has these attributes. Codes are kept once a question looks at attributes that others
   * looked at before, or at once where all are to be warm: it depends on the questions alone.
   */
  async #keptFor(used: ReadonlySet<number>): Promise<string | undefined> {
    if (used.size === 0 || this.#session.isRemote) return undefined
    const isAskedAgain = used.isSubsetOf(this.#asked)
    for (const attribute of used) this.#asked.add(attribute)
    if (!this.#kept || !used.isSubsetOf(this.#kept.attributes)) {
      if (this.#reading.warm) await this.keepAll()
      else if (isAskedAgain) await this.#keep([...this.#asked])
    }
    return this.#kept && used.isSubsetOf(this.#kept.attributes) ? this.#kept.relation : undefined
  }

  async #keep(attributes: readonly number[]): Promise<void> {
    if (this.#cannotKeep || (this.#kept && new Set(attributes).isSubsetOf(this.#kept.attributes))) return
    this.#kept = undefined
    try {
      const relation = await this.#session.keep('warm', encodedSql(this.#encoding, attributes))
      this.#kept = { relation, attributes: new Set(attributes) }
    } catch {
      this.#cannotKeep = true
      await this.#session.drop('warm').catch(() => {})
    }
  }

  /** Codes and how many records have them. A choice among a person's records is made once for several statements, where it can be. */
  #counted(from: From): Counted {
    const { isColumnar } = this.#session
    if (this.#reading.unit.kind === 'row')
      return { isCheap: isColumnar, of: (attributes) => countedSql(this.#encoding, attributes) }
    if (!this.#session.sharesWith) return { of: (attributes) => groupsSql(attributes.map(code), from(attributes)) }
    return {
      before: `WITH chosen AS (SELECT * FROM ${from([])}) `,
      of: (attributes) => groupsSql(attributes.map(code), 'chosen'),
    }
  }

  /** Chooses every person's records, in place of an earlier choice. */
  async #choose(unit: Extract<Unit, { kind: 'column' }>): Promise<void> {
    const choice = keyedHash(this.#reading.key, 'rows of one person')
    this.#chosen = undefined
    this.#histograms = new KeptHistograms()
    this.#chosen = await this.#session.keep('limited', limitedSql(this.#encoding, unit, choice))
  }

  /**
   * Gives the work a relation of codes: made on the fly for every scan, or kept for the batch where several scans need
   * it (from two on where every scan is dear, from one where it is streamed), or for good where a person's records had to be
   * chosen or the same is asked again. Codes are small: nine attributes of census size take about ten bytes a record.
   */
  async #withRecords<T>(plan: Plan, work: (relation: Relation) => Promise<T>): Promise<T> {
    const { unit } = this.#reading
    if (unit.kind === 'column') {
      if (!this.#chosen) await this.#choose(unit)
      const from = () => this.#chosen!
      return work(this.#session.isRemote ? { from, counted: this.#counted(from) } : { from, kept: this.#histograms })
    }
    const used = this.#usedBy(plan)
    const warm = await this.#keptFor(used)
    if (warm) return work({ from: () => warm, kept: this.#histograms })
    const encoded = (attributes: readonly number[]) => encodedSql(this.#encoding, attributes)
    const { histograms, passes, pushed } = plan
    // What is streamed is also counted, so that it is read twice.
    const dear = passes.length > 0 ? 1 : 2
    const few = this.#session.isRemote ? Number.POSITIVE_INFINITY : this.#session.isDear ? dear : 4
    if (histograms.length + passes.length + pushed.length < few) {
      const from: From = (attributes) => `(${encoded(attributes)}) AS codes`
      return work({ from, counted: this.#counted(from) })
    }
    const kept = await this.#session.keep('kept', encoded([...used]))
    try {
      return await work({ from: () => kept })
    } finally {
      await this.#session.drop('kept')
    }
  }

  #usedBy({ histograms, passes, pushed }: Plan): Set<number> {
    const used = new Set(pushed.flatMap((scan) => attributesOf(scan, this.#reading.universe)))
    for (const { attributes } of [...histograms, ...passes.flat()]) for (const a of attributes) used.add(a)
    return used
  }
}
