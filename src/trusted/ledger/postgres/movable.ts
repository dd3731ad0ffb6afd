import { requireOpen } from '../closing.ts'
import { corrupt } from '../damage.ts'
import type { MovableLedger } from '../movable.ts'
import { rolledBack } from '../receipt.ts'
import { connect, type PostgresPlace, placeName } from './connection.ts'
import { explain } from './failure.ts'
import { resultsOf, rowsOf } from './results.ts'
import { type Durability, requireDurable, requireLedger } from './standing.ts'
import { appendSql, commitAfter, holdSql, rawRow, rowsSql } from './statements.ts'
import { quoted } from './tables.ts'

/** Opens the ledger in this schema to be moved, also one that is closed. */
export async function movablePostgresLedger(place: PostgresPlace): Promise<MovableLedger> {
  const [name, schema] = [placeName(place), quoted(place.schema)]
  const client = await connect(place.url, name)
  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw explain(error, name)
    }
  }
  const close = () => client.end().catch(() => {})
  let number: number
  try {
    number = await explained(() => requireLedger(client, place.schema, name))
  } catch (error) {
    await close()
    throw error
  }
  const hold = () => client.query(holdSql(number))
  return {
    hold: () =>
      explained(async () => {
        await hold()
      }),
    contents: () =>
      explained(async () => {
        const rows = (await rowsOf(client, rowsSql(schema, 0), 'seq')).map(rawRow)
        const secrets = `SELECT key FROM ${schema}.secrets`
        const [secret, ...others] = await rowsOf<{ key: unknown }>(client, secrets, 'key')
        if (others.length > 0 || !(secret?.key instanceof Uint8Array)) throw corrupt('its key is missing')
        return { rows, secret: Uint8Array.from(secret.key) }
      }),
    finish: (after, closing) =>
      explained(async () => {
        await hold()
        for (;;) {
          const [, , locked] = await resultsOf(client, appendSql(schema), 'BEGIN', 'LOCK', 'SELECT')
          requireDurable(locked!.rows[0] as Durability, name)
          const [, ...later] = (await rowsOf(client, rowsSql(schema, after.seq), 'seq')).map(rawRow)
          requireOpen(later)
          const head = later.at(-1) ?? after
          const committed = await commitAfter(client, schema, { head, raw: closing(head), parent: null })
          if (committed === 'done') return later
          if (committed === 'headless') throw rolledBack(head)
          await client.query('ROLLBACK')
        }
      }),
    close,
  }
}
