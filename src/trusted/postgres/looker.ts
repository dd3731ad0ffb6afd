import type pg from 'pg'
import { connectPostgres, holdProcess } from './connect.ts'
import { postgresFailure } from './errors.ts'
import type { Transaction } from './transaction.ts'

const idleMilliseconds = 10_000
const patience = 'SET statement_timeout = 30000'

/**
 * A connection for looking at the catalogue, outside of any transaction: it sees the present. It is kept for the next look, and ends where none
 * comes soon.
 */
export class Looker {
  readonly #url: string
  #client: Promise<pg.Client> | undefined
  #looking = 0
  #idle: NodeJS.Timeout | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** A look that fails is tried once more on a new connection: the old one may have been closed by the server meanwhile. */
  async look<T>(work: (all: Transaction['all']) => Promise<T>): Promise<T> {
    const isOld = this.#client !== undefined
    try {
      return await this.#once(work)
    } catch (error) {
      const failure = postgresFailure(error)
      await this.#end()
      if (isOld && failure?.code === 'engine-failed') return this.#once(work)
      throw failure ?? error
    }
  }

  async #once<T>(work: (all: Transaction['all']) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle)
    this.#client ??= connectPostgres(this.#url).then(async (client) => {
      await client.query(patience)
      return client
    })
    const client = await this.#client
    this.#looking++
    holdProcess(client, true)
    try {
      return await work(async (sql) => (await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][])
    } finally {
      if (--this.#looking === 0) {
        holdProcess(client, false)
        this.#idle = setTimeout(() => this.#end(), idleMilliseconds).unref()
      }
    }
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    if (!client) return
    holdProcess(client, true)
    await client.end().catch(() => undefined)
  }
}
