import { keyedHash, withoutSnapshot } from '../../hash/index.ts'
import type { Column, Database, Look, Session } from '../sql/index.ts'
import { name, OwnersError, quote, unreadable } from '../sql/index.ts'
import { TrinoClient } from './client.ts'
import { connectionTo, type TrinoSource } from './connection.ts'
import { isReadable, kindOf, trino } from './dialect.ts'
import { contentSql } from './digest.ts'
import { TrinoFailure } from './failure.ts'
import { computed, requireRepeatable } from './repeatable.ts'
import { eachRow, rowsOf } from './rows.ts'

/** What is read: a snapshot that stays as it is, or whatever the records are now, known by their digest. */
interface TrinoLook extends Look {
  readonly snapshot?: string
  readonly content?: string
}

/** A table, or an owner's view, that a Trino server reads. Only what is counted leaves the server, never a record. */
export function trinoDatabase(source: TrinoSource): Database<TrinoLook> {
  let shared: TrinoClient | undefined
  // Asked once: what has no snapshots is known by its content ever after.
  let hasSnapshots = source.table !== undefined
  // Secrets are read from the environment when they are needed first.
  const client = () => (shared ??= new TrinoClient(connectionTo(source)))
  return {
    dialect: trino,
    async look(key) {
      if (source.table === undefined && source.sql === undefined) return { quick: '' }
      const snapshot = source.version ?? (hasSnapshots ? await icebergSnapshot(client(), source) : undefined)
      hasSnapshots = snapshot !== undefined
      if (snapshot !== undefined) {
        // What the server makes of a snapshot for this user, by row filters and column masks, is as much part of it.
        const made = await computed(client(), `SELECT * FROM ${relationOf(source, snapshot)}`)
        return { quick: keyedHash(key, JSON.stringify([...place(source), snapshot, made])), snapshot }
      }
      const content = await contentOf(client(), source, undefined, key)
      return { quick: keyedHash(key, JSON.stringify(['quick', content])), content }
    },
    async open({ snapshot }) {
      await requireTable(client(), source)
      const own = new TrinoClient(connectionTo(source))
      try {
        const relation = relationOf(source, snapshot)
        if (source.sql !== undefined) await requireRepeatable(own, withoutEnd(source.sql))
        else if (snapshot !== undefined) await requireRepeatable(own, `SELECT * FROM ${relation}`)
        return await sessionOf(own, relation, snapshot !== undefined)
      } catch (error) {
        own.close()
        throw error
      }
    },
    async digest({ snapshot, content }, key) {
      const found = content ?? (await contentOf(client(), source, snapshot, key))
      const digest = keyedHash(key, JSON.stringify(['full', found]))
      return snapshot === undefined ? withoutSnapshot(digest) : digest
    },
    cancel: () => shared?.stop(),
    changes: ({ snapshot }) => (snapshot === undefined ? changesWithout : source.version ? changesNever : changesWith),
    tables: () => tablesOf(client(), source),
    reports: async () => [],
  }
}

const changesNever = `The policy names a snapshot of an Iceberg table: all answers are about it, whatever is written later. Answers can be refined.
Row filters and column masks that change are noticed.
Not noticed from one question to the next: somebody who changes data files behind Iceberg's back. The full check, before every refinement, would.`
const changesWith = `The table is in Iceberg: every statement reads one snapshot of it, and a question is answered only where that snapshot is the latest.
Answers can be refined. Row filters and column masks that change are noticed. Not noticed from one question to the next: somebody who changes data files behind Iceberg's back. The full check, before
every refinement and after every new snapshot, reads all records and would.`
const changesWithout = `The source keeps no snapshots: all its records are read and hashed before and after every answer, three times for a question.
Not noticed: records that change after one hash and are back before the next. Answers cannot be refined; they are asked afresh.`

const place = ({ catalog, schema, table }: TrinoSource) => ['quick', catalog, schema, table ?? null]

const tableName = ({ catalog, schema, table }: TrinoSource, suffix = '') =>
  [catalog, schema, `${table}${suffix}`].map((part) => name(part.toLowerCase())).join('.')

/** Trino takes no semicolon. */
const withoutEnd = (sql: string) => sql.replace(/[\s;]+$/, '')

/** Every statement names the snapshot, so that all of them read the same data, whoever writes meanwhile. */
function relationOf(source: TrinoSource, snapshot: string | undefined): string {
  if (source.sql !== undefined) return `(\n${withoutEnd(source.sql)}\n) AS records`
  return snapshot === undefined ? tableName(source) : `${tableName(source)} FOR VERSION AS OF ${snapshot}`
}

/** The snapshot that an Iceberg table is at; undefined for what has none. */
async function icebergSnapshot(client: TrinoClient, source: TrinoSource): Promise<string | undefined> {
  const sql = `SELECT CAST(snapshot_id AS VARCHAR) FROM ${tableName(source, '$refs')} WHERE name = 'main'`
  try {
    const [row] = await rowsOf(client, sql, notIceberg)
    return row && String(row[0])
  } catch (error) {
    if (error instanceof TrinoFailure) return undefined
    throw error
  }
}

/** What Trino says of "t$refs" where t is no Iceberg table. */
const notIceberg = ['TABLE_NOT_FOUND', 'NOT_SUPPORTED', 'SYNTAX_ERROR']

/** Refuses what is not there, and a view, which may filter: its number of rows is no public number. */
async function requireTable(client: TrinoClient, source: TrinoSource): Promise<void> {
  if (source.sql !== undefined) return
  const { catalog, schema, table } = source
  if (table === undefined) {
    const tables = await tablesOf(client, source)
    const hint = `Name one with \`table:\`; there are ${tables.join(', ') || 'none'}.`
    throw new OwnersError('the schema does not have exactly one table', hint, { tables })
  }
  const [row] = await rowsOf(
    client,
    `SELECT table_type FROM ${name(catalog.toLowerCase())}.information_schema.tables
      WHERE table_schema = ${quote(schema.toLowerCase())} AND table_name = ${quote(table.toLowerCase())}`,
  )
  if (row?.[0] === 'VIEW' || (await isMaterializedView(client, source)))
    throw unreadable(
      `${table} is a view, not a table`,
      `If it always returns the same rows, write \`sql: SELECT * FROM ${table}\`.`,
    )
}

/** Its type is that of a table. Whoever may not ask about it is taken at the policy's word. */
async function isMaterializedView(client: TrinoClient, { catalog, schema, table = '' }: TrinoSource): Promise<boolean> {
  const [c, s, t] = [catalog, schema, table].map((part) => quote(part.toLowerCase()))
  const sql = `SELECT 1 FROM system.metadata.materialized_views WHERE catalog_name = ${c} AND schema_name = ${s} AND name = ${t}`
  try {
    return (await rowsOf(client, sql, notTold)).length > 0
  } catch (error) {
    if (error instanceof TrinoFailure) return false
    throw error
  }
}

const notTold = ['PERMISSION_DENIED', 'CATALOG_NOT_FOUND', 'SCHEMA_NOT_FOUND', 'TABLE_NOT_FOUND']

async function tablesOf(client: TrinoClient, { catalog, schema }: TrinoSource): Promise<string[]> {
  const rows = await rowsOf(
    client,
    `SELECT table_name FROM ${name(catalog.toLowerCase())}.information_schema.tables
      WHERE table_schema = ${quote(schema.toLowerCase())} AND table_type = 'BASE TABLE' ORDER BY 1`,
  )
  return rows.map(([table]) => String(table))
}

/** The digest of all records, with the names and types of the columns. The key in the statement is good for this alone. */
async function contentOf(
  client: TrinoClient,
  source: TrinoSource,
  snapshot: string | undefined,
  key: Uint8Array,
): Promise<string> {
  const records = relationOf(source, snapshot)
  const columns = await columnsOf(client, records)
  const [sums] = await rowsOf(client, contentSql({ records, columns }, keyedHash(key, 'records of a table')))
  const shape = [...columns].filter(([, column]) => !column.unreadable).map(([n, { type }]) => [n, type])
  return JSON.stringify([shape, sums])
}

/** Texts are encoded once for each of their values: looking at their characters is dear. */
const columnOf = (column: string, type: string): Column => {
  const kind = kindOf(type)
  // A cast to a text fails on an object, and makes one of 1 and "1".
  const sql = type === 'json' ? `json_format(${name(column)})` : name(column)
  return { sql, type, kind, groupedFirst: kind === 'text' || undefined, unreadable: !isReadable(type) }
}

async function columnsOf(client: TrinoClient, records: string): Promise<ReadonlyMap<string, Column>> {
  const found = new Map<string, Column>()
  await client.run(`SELECT * FROM ${records} LIMIT 0`, ({ columns = [] }) => {
    for (const { name: n, type } of columns) found.set(n, columnOf(n, type))
  })
  return found
}

async function sessionOf(client: TrinoClient, records: string, isColumnar: boolean): Promise<Session> {
  return {
    records,
    columns: await columnsOf(client, records),
    files: records,
    isDear: false,
    isRemote: true,
    isColumnar,
    rows: (sql, visit) => eachRow(client, sql, visit),
    async chunks(sql, visit) {
      await client.run(sql, ({ data = [] }) =>
        visit({
          rows: data.length,
          copy(column, from, target) {
            for (let row = 0; row < target.length; row++) target[row] = data[from + row]![column] as number
          },
        }),
      )
    },
    // Nothing is written in the server: what would be kept is computed each time.
    keep: async (as, sql) => `(${sql}) AS ${as}`,
    drop: async () => {},
    cancel: () => client.stop(),
    close: async () => client.close(),
  }
}
