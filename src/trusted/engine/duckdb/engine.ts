import { ReticentError, type Unit, type Universe } from '../../../schema/index.ts'
import type { Engine } from '../engine.ts'
import { quietly } from './connection.ts'
import { lookAt, looksTheSame } from './fingerprint.ts'
import type { DuckSource } from './relation.ts'
import { DuckdbSnapshot } from './snapshot.ts'

export interface DuckOptions {
  readonly source: DuckSource
  readonly universe: Universe
  readonly unit: Unit
  readonly key: Uint8Array
}

/** Files read through DuckDB. Nothing is opened before the first snapshot. */
export const openDuckdb = (options: DuckOptions): Engine => new DuckdbEngine(options)

/** A source that is being written to looks different before and after it is opened; so often it is tried again. */
const mostTries = 3

class DuckdbEngine implements Engine {
  readonly #options: DuckOptions
  #current: DuckdbSnapshot | undefined
  /** One at a time: whoever asks for a snapshot may find the last one outdated and close it. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: DuckOptions) {
    this.#options = options
  }

  snapshot(): Promise<DuckdbSnapshot> {
    const turn = this.#last.then(() => quietly(() => this.#present()))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async close() {
    await this.#last
    await this.#drop()
  }

  /** What is prepared between two equal looks at the source is prepared from what they saw. */
  async #present(): Promise<DuckdbSnapshot> {
    const { source, key } = this.#options
    for (let tries = 0; tries < mostTries; tries++) {
      const look = await lookAt(source, key)
      if (this.#current?.isOf(look)) return this.#current
      await this.#drop()
      const opened = await DuckdbSnapshot.open(this.#options, look)
      this.#current = opened
      if (looksTheSame(look, await lookAt(source, key))) return opened
    }
    await this.#drop()
    throw new ReticentError(
      'source-changed',
      {},
      { message: 'the source is being changed right now', hint: 'Ask again when nobody writes to it.' },
    )
  }

  async #drop(): Promise<void> {
    const dropped = this.#current
    this.#current = undefined
    await dropped?.close()
  }
}
