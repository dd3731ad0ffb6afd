import type pg from 'pg'
import { problem } from '../../schema/index.ts'
import { connectPostgres, holdProcess } from './connect.ts'
import { postgresFailure } from './errors.ts'

type Visit = (at: (column: number) => unknown) => void

/** A read-only transaction of one's own, which sees the database as it was when it began. One statement at a time. */
export interface Transaction {
  /** Visits the rows of a result as they come, and keeps none. */
  rows(sql: string, visit: Visit): Promise<void>
  /** Whether it has ended, or has lasted so long that the next one to ask should begin another. */
  isDue(): boolean
  /** Has the server stop the statement that is running, if there is one. */
  cancel(): void
  close(): Promise<void>
  /** The columns of a statement's result, by their names. */
  columnsOf(sql: string): Promise<readonly { readonly name: string; readonly type: string }[]>
  /** All rows of a short result. */
  all(sql: string): Promise<readonly unknown[][]>
}

/** A transaction keeps others from altering the table, and the server from cleaning up: it ends soon where nobody asks. */
const idleMilliseconds = 15_000
const longestMilliseconds = 300_000

/** What values look like as texts, and what the server does for us. Settings that a version lacks are left out. */
const settings = (seconds: number): [string, string][] => [
  ['statement_timeout', `${Math.ceil(1000 * seconds)}`],
  ['idle_in_transaction_session_timeout', `${4 * idleMilliseconds}`],
  // A statement whose asker was killed ends, too.
  ['client_connection_check_interval', '2000'],
  // Rather fail than read what a policy of row-level security leaves over.
  ['row_security', 'off'],
  // Our expressions are long, and run for a second or two.
  ['jit', 'off'],
  // A hundred thousand groups are still far fewer than the records: worth counting by several workers.
  ['parallel_tuple_cost', '0.01'],
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['IntervalStyle', 'postgres'],
  ['extra_float_digits', '1'],
  ['bytea_output', 'hex'],
  ['lc_monetary', 'C'],
  ['standard_conforming_strings', 'on'],
]
const settingsSql = (seconds: number) =>
  `SELECT set_config(name, CASE WHEN name = 'work_mem' THEN greatest(32768, setting::int)::text ELSE value END, true)
   FROM (VALUES ('work_mem', ''), ${settings(seconds).map(([name, value]) => `('${name}', '${value}')`)}) AS wanted(name, value)
   JOIN pg_settings USING (name) WHERE name <> 'client_connection_check_interval' OR version() !~* 'windows|mingw|visual'`

/** Numbers as numbers, and those that a double may not hold exactly as integers; everything else as text. */
const types = {
  getTypeParser: (oid: number) => (text: string) => {
    if ([21, 23, 700, 701].includes(oid)) return Number(text)
    return [20, 1700].includes(oid) && /^-?\d+$/.test(text) ? exact(text) : text
  },
}
const exact = (text: string) => (text.length < 16 ? Number(text) : BigInt(text))

/** Begins such a transaction, in which one statement may take so many seconds. */
export async function beginTransaction(url: string, timeoutSeconds: number): Promise<Transaction> {
  const client = await connectPostgres(url)
  const began = Date.now()
  let hasEnded = false
  let running = 0
  let idle: NodeJS.Timeout | undefined
  const end = async () => {
    hasEnded = true
    clearTimeout(idle)
    holdProcess(client, true)
    await client.end().catch(() => undefined)
  }
  /** One statement; whatever fails ends the transaction, since PostgreSQL takes no other one after that. */
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (hasEnded) throw problem('engine-failed', 'the connection to PostgreSQL has ended', 'Ask again.')
    clearTimeout(idle)
    running++
    holdProcess(client, true)
    try {
      return await work()
    } catch (error) {
      await end()
      throw postgresFailure(error) ?? error
    } finally {
      if (--running === 0 && !hasEnded) {
        holdProcess(client, false)
        idle = setTimeout(end, idleMilliseconds).unref()
      }
    }
  }
  const result = (text: string) => run(() => client.query({ text, rowMode: 'array', types }))
  const transaction: Transaction = {
    rows: (sql, visit) => run(() => eachRow(client, sql, visit)),
    all: async (sql) => (await result(sql)).rows,
    async columnsOf(sql) {
      const { fields } = await result(`SELECT * FROM (${sql}) AS columns LIMIT 0`)
      if (fields.length === 0) return []
      const named = fields.map((f) => `format_type(${f.dataTypeID}, ${f.dataTypeModifier})`)
      const [found] = (await result(`SELECT ${named.join(', ')}`)).rows
      return fields.map((f, i) => ({ name: f.name, type: String(found[i]) }))
    },
    isDue: () => hasEnded || Date.now() - began > longestMilliseconds,
    cancel: () => (running > 0 ? void stop(url, client).catch(() => undefined) : undefined),
    close: end,
  }
  await result('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await result(settingsSql(timeoutSeconds))
  return transaction
}

/** Has the server stop what the client waits for. */
async function stop(url: string, client: pg.Client): Promise<void> {
  const other = await connectPostgres(url)
  try {
    await other.query('SELECT pg_cancel_backend($1)', [(client as unknown as { processID: number }).processID])
  } finally {
    await other.end()
  }
}

/** Visits rows as they come, and keeps none. */
async function eachRow(client: pg.Client, text: string, visit: Visit) {
  const { Query } = (await import('pg')).default
  await new Promise<void>((resolve, reject) => {
    const query = new Query({ text, rowMode: 'array', types } as pg.QueryConfig)
    let fault: unknown
    query.on('row', (row: unknown[]) => {
      try {
        if (fault === undefined) visit((column) => row[column])
      } catch (error) {
        fault = error
      }
    })
    query.on('error', reject)
    query.on('end', () => (fault === undefined ? resolve() : reject(fault)))
    client.query(query)
  })
}
