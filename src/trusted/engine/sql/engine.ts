import type { Engine } from '../engine.ts'
import type { Database } from './database.ts'
import { quietly, sourceChanged } from './errors.ts'
import type { Reading } from './reading.ts'
import { isSame, SqlSnapshot } from './snapshot.ts'

/** A source that is being written to looks different before and after it is opened; so often it is tried again. */
const mostTries = 3

/** Exact answers from an SQL database. Nothing is opened before the first snapshot. */
export class SqlEngine implements Engine {
  readonly #database: Database
  readonly #reading: Reading
  #current: SqlSnapshot | undefined
  /** What was asked before and comes later must not open the source again. */
  #closed = false
  /** One at a time: whoever asks for a snapshot may find the last one outdated and close it. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: Database, reading: Reading) {
    this.#database = database
    this.#reading = reading
  }

  snapshot(): Promise<SqlSnapshot> {
    const turn = this.#last.then(() => quietly(() => this.#present()))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async close() {
    this.#closed = true
    this.#database.cancel?.()
    await this.#last
    await this.#drop()
  }

  /** What is prepared between two equal looks at the source is prepared from what they saw. */
  async #present(): Promise<SqlSnapshot> {
    if (this.#closed) throw new RangeError('the engine is closed')
    const { key } = this.#reading
    for (let tries = 0; tries < mostTries; tries++) {
      const look = await this.#database.look(key)
      // One that is due is left to those who hold it, and ends by itself.
      if (this.#current?.isDue()) this.#current = undefined
      if (this.#current?.isOf(look)) return this.#current
      await this.#drop()
      this.#current = await SqlSnapshot.open(this.#database, look, this.#reading)
      if (isSame(look, await this.#database.look(key))) return this.#current
    }
    await this.#drop()
    throw sourceChanged('the source is being changed right now')
  }

  async #drop(): Promise<void> {
    const dropped = this.#current
    this.#current = undefined
    await dropped?.close()
  }
}
