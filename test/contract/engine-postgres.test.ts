import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { type PostgresDatabase, startPostgres, withoutPostgres } from '../support/postgres.ts'
import { engineContract, type MakeEngine } from './engine.ts'
import { replacePostgres, type Table, writePostgres } from './engine-table.ts'

describe.skipIf(await withoutPostgres('the engines’ contract in PostgreSQL'))('in PostgreSQL', () => {
  let database: PostgresDatabase
  let client: pg.Client
  let number = 0
  const run = (sql: string) => client.query(sql)
  beforeAll(async () => {
    database = await startPostgres()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // Whatever this collation takes for equal, or sorts elsewhere, makes no difference.
    await run(`CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`)
  })
  afterAll(async () => {
    await client.end()
    await database.stop()
  })

  /** Writes a table and opens what the policy would name. */
  const through =
    (sourceOf: (table: string) => { table: string } | { sql: string }, collation = ''): MakeEngine =>
    async ({ columns, rows }, setting) => {
      const typed = Object.entries(columns).map(([c, t]) => [c, t === 'VARCHAR' ? `text${collation}` : t])
      const write = (table: Table): Table => ({ ...table, columns: Object.fromEntries(typed) })
      const named = `people_${number++}`
      await writePostgres(run, named, write({ columns, rows }))
      const source = { kind: 'postgres', url: database.url, ...sourceOf(named) } as const
      const engine = await openEngine({ source, ...setting })
      const replace = async (other: Table) => {
        await replacePostgres(run, named, write(other))
        return () => replacePostgres(run, named, write({ columns, rows }))
      }
      return { engine, replace }
    }

  engineContract(
    'postgres over a table',
    through((table) => ({ table: `public.${table}` })),
  )
  engineContract(
    'postgres over an owner’s view, its texts in a collation of their own',
    through((table) => ({ sql: `SELECT * FROM ${table};` }), ' COLLATE loose'),
  )
})
