import { type PostgresDatabase, startPostgres } from './postgres.ts'

/** A database for ledgers: the address of their owner, and that of the role that Reticent runs as. */
export interface LedgerDatabase {
  readonly owner: string
  readonly url: string
  readonly role: string
  readonly database: PostgresDatabase
  /** A place that no ledger has been made in yet. */
  place(): { readonly kind: 'postgres'; readonly url: string; readonly schema: string }
  stop(): Promise<void>
}

let made = 0

/** As docs/ledger.md tells the owner to make them. */
export async function ledgerDatabase(database?: PostgresDatabase): Promise<LedgerDatabase> {
  const own = database ?? (await startPostgres())
  const name = new URL(own.url).pathname.slice(1)
  const role = `${name}_runs`
  const owner = `${name}_owns`
  await own.run(`
    CREATE ROLE ${owner} LOGIN PASSWORD 'of the owner';
    CREATE ROLE ${role} LOGIN PASSWORD 'of the runner';
    GRANT CREATE ON DATABASE ${name} TO ${owner}`)
  const as = (user: string, password: string) => {
    const address = new URL(own.url)
    Object.assign(address, { username: user, password })
    return address.href
  }
  const url = as(role, 'of the runner')
  return {
    owner: as(owner, 'of the owner'),
    url,
    role,
    database: own,
    place: () => ({ kind: 'postgres', url, schema: `ledger_${made++}` }),
    async stop() {
      await own.run(`DROP OWNED BY ${owner} CASCADE; DROP OWNED BY ${role} CASCADE`)
      await own.run(`DROP ROLE ${owner}; DROP ROLE ${role}`)
      await own.stop()
    },
  }
}
