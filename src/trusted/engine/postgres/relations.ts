import { problem, type Source } from '../../../schema/index.ts'
import type { Transaction } from '../../postgres/index.ts'
import { name, OwnersError, quote, unreadable } from '../sql/index.ts'
import { readsOf, requireSteady } from './repeatable.ts'

export type PostgresSource = Extract<Source, { kind: 'postgres' }>
type All = Transaction['all']

/** What a source reads: a SELECT of its records, the tables that they are in, and the views on the way to them. */
interface Relations {
  readonly select: string
  readonly tables: readonly string[]
  readonly views: readonly string[]
}

interface Found {
  readonly oid: string
  readonly kind: string
  readonly schema: string
  readonly table: string
}

/** The relation of a name: as it is written, or else in small letters. */
async function find(all: All, schema: string | undefined, table: string): Promise<Found | undefined> {
  const is = (text: (of: string) => string) =>
    `relname = ${quote(text(table))} AND ${schema === undefined ? 'pg_catalog.pg_table_is_visible(c.oid)' : `nspname = ${quote(text(schema))}`}`
  const [row] = await all(`SELECT c.oid::text, relkind::text, nspname::text, relname::text FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
    AND (${is((t) => t)} OR ${is((t) => t.toLowerCase())}) ORDER BY relname <> ${quote(table)} LIMIT 1`)
  if (!row) return undefined
  const [oid, kind, inSchema, named] = row as string[]
  return { oid: oid!, kind: kind!, schema: inSchema!, table: named! }
}

const missing = (message: string) => problem('source-missing', message, 'Is the schema named, as in schema.table?')

export async function relationsOf(source: PostgresSource, all: All): Promise<Relations> {
  const found = await (source.sql !== undefined ? viewOf(source.sql, all) : namedTable(source, all))
  await requireOwnParts(found.tables, all)
  return found
}

async function namedTable(source: PostgresSource, all: All): Promise<Relations> {
  if (source.table !== undefined) return tableOf(source.table, all)
  const tables = await readableTables(all)
  throw new OwnersError(
    'the database does not have exactly one table that this user may read',
    `Name one with \`table:\`; there are ${tables.join(', ') || 'none'}.`,
    { tables },
  )
}

/**
 * The columns of a table that this user may read. A view may filter, and then its number of rows is no public number (replace-one counts on that):
 * it takes an owner's `sql:`.
 */
async function tableOf(named: string, all: All): Promise<Relations> {
  const dot = named.indexOf('.')
  const found =
    (await find(all, undefined, named)) ??
    (dot < 0 ? undefined : await find(all, named.slice(0, dot), named.slice(dot + 1)))
  if (!found) throw missing(`the database has no table ${named}, or this user cannot see it`)
  if (found.kind === 'v' || found.kind === 'm')
    throw unreadable(
      `${named} is a view, not a table`,
      `If it always returns the same rows, write \`sql: SELECT * FROM ${named}\`.`,
    )
  requireTable(found)
  const columns =
    await all(`SELECT attname::text FROM pg_catalog.pg_attribute WHERE attrelid = ${found.oid}::oid AND attnum > 0
    AND NOT attisdropped AND pg_catalog.has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum`)
  if (columns.length === 0)
    throw unreadable('the database user may not read the table', 'Its owner can GRANT SELECT on it.')
  const list = columns.map(([column]) => name(String(column))).join(', ')
  return { select: `SELECT ${list} FROM ${name(found.schema)}.${name(found.table)}`, tables: [found.oid], views: [] }
}

const isForeign = 'the source is a foreign table, or has one as a part, which has no snapshots'

function requireTable({ kind, schema }: Found): void {
  if (kind === 'f') throw unreadable(isForeign, 'Copy it into a table.')
  if (/^pg_|^information_schema$/.test(schema)) throw unreadable('the source is one of PostgreSQL’s own tables')
}

/** These tables with all partitions below them, and whatever else inherits. */
const partsSql = (tables: readonly string[]): string => `
  WITH RECURSIVE part(oid) AS (SELECT unnest(ARRAY[${tables.map(quote).join(', ')}]::oid[])
    UNION SELECT inhrelid FROM pg_catalog.pg_inherits JOIN part ON inhparent = part.oid)`

/** A partition may be in another server, where rows change and no counter here says so. */
async function requireOwnParts(tables: readonly string[], all: All): Promise<void> {
  if (tables.length === 0) return
  const foreign = await all(`${partsSql(tables)}
    SELECT 1 FROM part JOIN pg_catalog.pg_class c ON c.oid = part.oid WHERE relkind = 'f' LIMIT 1`)
  if (foreign.length > 0) throw unreadable(isForeign, 'Copy it into a table.')
}

/** An owner's SELECT, down to the tables below its views. */
async function viewOf(sql: string, all: All): Promise<Relations> {
  const select = sql.replace(/[\s;]+$/, '')
  const tables = new Set<string>()
  const views = new Map<string, string>()
  const open = [select]
  for (const statement of open) {
    const { relations, functions } = await readsOf(statement)
    await requireSteady(functions, all)
    for (const { schema, name: table, isCte } of relations) {
      const found = await find(all, schema, table)
      if (!found && isCte) continue
      if (!found) throw missing(`the database has no table ${table}, or this user cannot see it`)
      if (found.kind !== 'v') {
        requireTable(found)
        tables.add(found.oid)
      } else if (!views.has(found.oid)) {
        const [[definition]] = (await all(`SELECT pg_catalog.pg_get_viewdef(${found.oid}::oid)`)) as [[string]]
        views.set(found.oid, definition)
        open.push(definition.replace(/[\s;]+$/, ''))
      }
    }
  }
  return { select, tables: [...tables], views: [...views.values()] }
}

/**
 * The tables and partitions that a source is in, with all of theirs that inherit: what the server knows of each without reading it. Values of
 * an enumeration are names elsewhere, and a column may be computed on reading: another name or expression changes records, and no counter.
 */
export const factsSql = (tables: readonly string[]): string => `${partsSql(tables)}
  SELECT part.oid::text, pg_relation_filenode(part.oid)::text, pg_relation_size(part.oid)::text, pg_stat_get_tuples_inserted(part.oid)::text,
    pg_stat_get_tuples_updated(part.oid)::text, pg_stat_get_tuples_deleted(part.oid)::text,
    (SELECT string_agg(concat_ws(' ', attnum, atttypid, atttypmod, attname), ', ' ORDER BY attnum) FROM pg_catalog.pg_attribute
      WHERE attrelid = part.oid AND attnum > 0 AND NOT attisdropped),
    (SELECT jsonb_agg(DISTINCT jsonb_build_array(enumlabel, e.oid::text))::text FROM pg_catalog.pg_attribute
      JOIN pg_catalog.pg_type t ON t.oid = atttypid JOIN pg_catalog.pg_type b ON b.oid IN (t.oid, t.typbasetype, t.typelem)
      JOIN pg_catalog.pg_enum e ON enumtypid IN (b.oid, b.typbasetype, b.typelem) WHERE attrelid = part.oid AND attnum > 0 AND NOT attisdropped),
    (SELECT string_agg(pg_get_expr(adbin, adrelid), ', ' ORDER BY adnum) FROM pg_catalog.pg_attrdef
      JOIN pg_catalog.pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = part.oid AND attgenerated <> '')
  FROM part ORDER BY part.oid`

/**
 * What stands in for counters where the server keeps none of this table's: then every change anywhere counts as one of it. And when
 * counters began anew, by somebody's wish or after a crash: then the same numbers may be of other data.
 */
export const changesSql = `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text
  WHEN current_setting('track_counts') = 'off' THEN txid_current_snapshot()::text END,
  (SELECT pg_stat_get_db_stat_reset_time(oid)::text FROM pg_catalog.pg_database WHERE datname = current_database()),
  pg_stat_get_bgwriter_stat_reset_time()::text`

/** The tables that this user may read, for whoever has not named one. */
export async function readableTables(all: All): Promise<string[]> {
  const found =
    await all(`SELECT nspname || '.' || relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname !~ '^pg_|^information_schema$'
    AND (has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT')) ORDER BY 1`)
  return found.map(([named]) => String(named))
}

/** A view whose columns have one name cannot be told apart. */
export function requireDistinct(columns: readonly { readonly name: string }[]): void {
  const names = columns.map((c) => c.name)
  if (new Set(names).size === names.length) return
  throw new OwnersError('two columns of the source have the same name', 'Rename one of them in `sql:` with AS.')
}
