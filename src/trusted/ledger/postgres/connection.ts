import type { Client } from 'pg'
import { type LedgerPlace, ReticentError } from '../../../schema/index.ts'
import { addressOf, connectPostgres } from '../../postgres/index.ts'
import { explain, notConnected } from './failure.ts'

export type PostgresPlace = Extract<LedgerPlace, { kind: 'postgres' }>

/** A place in words that may be shown: without user, password and options. */
export function placeName({ url, schema }: PostgresPlace): string {
  const { host = 'localhost', port = 5432, database = '' } = addressOf(url)
  return `postgresql://${host}:${port}/${database}, schema ${schema}`
}

/** How long to wait for other processes before giving up, and for one that holds the lock and hangs. */
const lockMilliseconds = 10_000
const idleMilliseconds = 120_000
/** Rows are read from a number on, in order: where PostgreSQL has no statistics yet, it would read all and sort them. */
const byIndex = 'SET enable_seqscan = off; SET enable_bitmapscan = off'

export async function connect(url: string, place: string): Promise<Client> {
  const client = await connectPostgres(url).catch((error) => {
    throw notConnected(error, place)
  })
  try {
    await client.query(
      `SET lock_timeout = ${lockMilliseconds}; SET idle_in_transaction_session_timeout = ${idleMilliseconds}; SET search_path = pg_catalog; ${byIndex}`,
    )
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explain(error, place)
  }
}

/** A connection that is made when it is first needed, and made again after it broke: servers are restarted. */
export class Connection {
  readonly #open: () => Promise<Client>
  readonly #place: string
  #client: Promise<Client> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** `prepare` sees every new connection before it is used. */
  constructor(place: PostgresPlace, name: string, prepare: (client: Client) => Promise<void>) {
    this.#place = name
    this.#open = async () => {
      const client = await connect(place.url, name)
      try {
        await prepare(client)
      } catch (error) {
        await client.end().catch(() => {})
        throw explain(error, name)
      }
      return client
    }
  }

  /** Does work on the connection, one after the other; its failures are told in our own words. */
  use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#use(work))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#client ??= this.#connecting()
    const connecting = this.#client
    const client = await connecting
    try {
      return await work(client)
    } catch (error) {
      const explained = explain(error, this.#place)
      if (explained instanceof ReticentError && explained.code === 'ledger-unreachable') this.#drop(client, connecting)
      throw explained
    }
  }

  async close(): Promise<void> {
    await this.#last
    const client = await this.#client?.catch(() => undefined)
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  #connecting(): Promise<Client> {
    const connecting = this.#open()
    const forget = () => this.#forget(connecting)
    connecting.then((client) => client.once('error', () => this.#drop(client, connecting)).once('end', forget), forget)
    return connecting
  }

  /** The server may think that it is in order, and keep the lock for it. */
  #drop(client: Client, connecting: Promise<Client>): void {
    this.#forget(connecting)
    client.end().catch(() => {})
  }

  #forget(connecting: Promise<Client>): void {
    if (this.#client === connecting) this.#client = undefined
  }
}
