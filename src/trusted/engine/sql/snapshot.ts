import { answerStarts, checkQueries, type LinearQuery, type MarginalList } from '../../../query/index.ts'
import { seal, sealTable } from '../../exact/seal.ts'
import type { Snapshot } from '../engine.ts'
import { Codes } from './codes.ts'
import type { Database, Look, Session } from './database.ts'
import { quietly, sourceChanged } from './errors.ts'
import type { Reading } from './reading.ts'
import { verify } from './verify.ts'

export const isSame = (a: Look, b: Look): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * A file that was changed within so many milliseconds before it was read may be changed once more within the same tick of its
 * clock, and look the same: some file systems have whole seconds.
 */
const settlingTime = 3000

/**
 * The source as it looked at one moment, and what was prepared from it: a session, the handles and the places of columns
 * that it holds, the choice among a person's records, their codes.
 */
export class SqlSnapshot implements Snapshot {
  readonly #database: Database
  readonly #look: Look
  readonly #reading: Reading
  readonly #session: Session
  readonly #codes: Codes
  /** Of the content, once it was read: who changes it from then on changes how it looks, and ends this snapshot. */
  #digest: string | undefined
  /** One statement at a time on the one connection. */
  #last: Promise<unknown> = Promise.resolve()
  /** Set once the source was seen to look different: what is read from then on may be other data. */
  #outdated = false

  private constructor(database: Database, look: Look, reading: Reading, session: Session) {
    this.#database = database
    this.#look = look
    this.#reading = reading
    this.#session = session
    this.#codes = new Codes(session, database.dialect, reading)
  }

  static async open(database: Database, look: Look, reading: Reading): Promise<SqlSnapshot> {
    const session = await database.open(look)
    try {
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

  /** Whether the next question should have another snapshot; who holds this one may go on. */
  isDue(): boolean {
    return this.#session.isDue?.() ?? false
  }

  async answer(queries: readonly LinearQuery[]) {
    checkQueries(queries, this.#reading.universe)
    const answers = await this.#alone(() => this.#codes.answer(queries))
    return answers.map((a) => seal(a))
  }

  async marginals(list: MarginalList) {
    const { universe } = this.#reading
    checkQueries(list, universe)
    const counts = await this.#alone(() => this.#codes.counts(list))
    return counts ? sealTable(counts, answerStarts(list, universe)) : this.answer([...list])
  }

  full(): Promise<string> {
    return this.#alone(async () => {
      if (this.#digest !== undefined) return this.#digest
      const isSettled = Date.now() - (this.#look.changedAt ?? Number.POSITIVE_INFINITY) > settlingTime
      const reports = await this.#database.reports(this.#look)
      await verify(this.#session, reports, () => this.#codes.encodeAll())
      const digest = await this.#database.digest(this.#look, this.#reading.key, this.#session)
      if (isSettled) this.#digest = digest
      return digest
    })
  }

  warm(): Promise<void> {
    return this.#alone(() => this.#codes.keepAll())
  }

  async close() {
    this.#outdated = true
    this.#session.cancel?.()
    await this.#last
    await this.#session.close()
  }

  /** Work counts only where the source looked as it did, before and after; its failures too. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() =>
      quietly(async () => {
        await this.#check()
        let failure: unknown
        try {
          return await work()
        } catch (error) {
          failure = error
          throw error
        } finally {
          await this.#check(failure)
        }
      }),
    )
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** A server that is gone says nothing about the data: it is told as what it is, by the failure that came first. */
  async #check(failure?: unknown): Promise<void> {
    let unreachable: unknown
    const looking = this.#outdated ? undefined : this.#database.look(this.#reading.key)
    const now = await looking?.catch((error) => {
      if (this.#session.isRemote) unreachable = failure ?? error
    })
    if (now && isSame(this.#look, now)) return
    this.#outdated = true
    throw unreachable ?? sourceChanged('the source changed while it was read')
  }
}
