import { userInfo } from 'node:os'
import type pg from 'pg'
import { problem } from '../../schema/index.ts'
import { addressOf, filedPassword, hasExposedPasswords } from './address.ts'
import { asksForPassword, postgresFailure } from './errors.ts'
import { tlsAttempts } from './tls.ts'

/**
 * Connects to the PostgreSQL that a policy names, `postgresql://…` or `env:NAME`. Whatever goes wrong is a ReticentError
 * without a word of the server's. The password comes from the URL, PGPASSWORD or the password file, in this order.
 */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const { PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD } = process.env
  const address = addressOf(url)
  const host = address.host ?? PGHOST ?? 'localhost'
  const port = address.port ?? (Number(PGPORT) || 5432)
  const user = address.user ?? PGUSER ?? userInfo().username
  const database = address.database ?? PGDATABASE ?? user
  const to = { host, port, user, database }
  const password = address.password ?? PGPASSWORD ?? (await filedPassword(to)) ?? ''
  const attempts = await tlsAttempts(address.tls, host.startsWith('/'))
  // As a function: where there is none, the driver would look for a password file in a way of its own.
  const settings = {
    ...to,
    password: () => password,
    connectionTimeoutMillis: 1000 * address.patience,
    keepAlive: true,
  }
  // Whoever has no PostgreSQL does not wait for its driver.
  const { Client } = (await import('pg')).default
  let failure: unknown
  for (const ssl of attempts) {
    const client = new Client({ ...settings, ssl, application_name: 'reticent' })
    // A connection that is lost is reported by the statement that meets it.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      failure = error
    }
  }
  if (asksForPassword(failure) && (await hasExposedPasswords())) throw exposed()
  throw postgresFailure(failure) ?? problem('engine-failed', 'PostgreSQL could not be connected to')
}

const exposed = () =>
  problem(
    'source-unreadable',
    'PostgreSQL asks for a password, and the password file is ignored, because others may read it',
    'Say chmod 600 ~/.pgpass, or of the file that PGPASSFILE names.',
  )

/** Whether an open connection keeps the process from ending: while a statement runs it should. */
export function holdProcess(client: pg.Client, holds: boolean): void {
  const { ref, unref } = client as unknown as { ref(): void; unref(): void }
  ;(holds ? ref : unref).call(client)
}
