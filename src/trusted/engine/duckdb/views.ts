import type { Source } from '../../../schema/index.ts'
import { name, OwnersError, quote, sourceChanged, unreadable } from '../sql/index.ts'
import type { Files, SourceFile } from './files.ts'
import { opens } from './open-files.ts'
import { requireRepeatable } from './repeatable.ts'
import { type Connected, connect } from './session.ts'
import { type Header, isCompressed, readHeader } from './text-header.ts'

export type DuckSource = Extract<Source, { kind: 'duckdb' }>

/** The view that every scan reads. */
export const records = 'temp.main.records'
/** What an owner's `sql:` over text or Parquet files calls them. */
const ownersName = 'source'
/** The view of the files themselves, below an owner's `sql:`. */
export const filesView = (source: DuckSource): string =>
  source.sql === undefined ? records : `temp.main.${ownersName}`
const attached = 'attached'
const broken = 'a source file cannot be read'
const failed = 'the `sql:` of the policy fails'

const list = (files: readonly SourceFile[]) => `[${files.map(({ real }) => quote(real)).join(', ')}]`

/** Longer records are refused by the full check: DuckDB reads a text file in buffers of a fixed size. */
export const longestRecord = 2_000_000

/**
 * One thread and no strict mode: the parallel reader gives up on some files with newlines inside quotes, and strict mode
 * on files with both LF and CRLF. What strict mode would find, the full check finds; also a CR alone among other line
 * ends, behind which this reader loses a byte.
 */
const readText = (files: readonly SourceFile[], { delimiter, columns }: Header): string =>
  `read_csv(${list(files)}, compression = ${isCompressed(files[0]!) ? "'gzip'" : "'none'"}, auto_detect = false, header = true, delim = ${quote(delimiter)}, quote = '"', escape = '"',
    nullstr = '', parallel = false, strict_mode = false, max_line_size = ${longestRecord},
    columns = {${columns.map((_, i) => `c${i}: 'VARCHAR'`).join(', ')}})`

/** Names that stand exactly once in a list, without regard to case, since DuckDB has none. */
const unambiguous = (names: readonly string[]): string[] => {
  const count = new Map<string, number>()
  for (const n of names) count.set(n.toLowerCase(), (count.get(n.toLowerCase()) ?? 0) + 1)
  return names.filter((n) => n !== '' && count.get(n.toLowerCase()) === 1)
}

/** Files that are written in one and the same way are read together; columns are matched by name, not by position. */
async function textView({ all }: Files): Promise<string> {
  const kinds = new Map<string, { header: Header; files: SourceFile[] }>()
  for (const file of all) {
    const header = await readHeader(file)
    const key = JSON.stringify([header, isCompressed(file)])
    kinds.set(key, { header, files: [...(kinds.get(key)?.files ?? []), file] })
  }
  const parts = [...kinds.values()]
  const common = parts.map(({ header }) => unambiguous(header.columns)).reduce((a, b) => a.filter((n) => b.includes(n)))
  if (common.length === 0) throw new OwnersError('the source files have no column in common')
  return parts
    .map(({ header, files }) => {
      const select = common.map((n) => `c${header.columns.indexOf(n)} AS ${name(n)}`)
      return `SELECT ${select.join(', ')} FROM ${readText(files, header)}`
    })
    .join('\nUNION ALL\n')
}

const parquetView = ({ all }: Files): string =>
  `SELECT * FROM read_parquet(${list(all)}, union_by_name = ${all.length > 1}, hive_partitioning = false)`

const spelled = (schema: string, table: string) => (schema === 'main' ? table : `${schema}.${table}`)

/**
 * The table that the policy names, or the only one. A view may filter, and then its number of rows is no public number
 * (replace-one counts on that): it takes an owner's `sql:`.
 */
async function tableOf(connected: Connected, wanted: string | undefined): Promise<string> {
  const all = await tablesAndViews(connected)
  const named = all.filter(([s, t]) => wanted === undefined || t === wanted || `${s}.${t}` === wanted)
  const fits = named.filter(([, , isView]) => !isView)
  if (fits.length === 1) return `SELECT * FROM ${attached}.${name(fits[0]![0])}.${name(fits[0]![1])}`
  if (wanted !== undefined && named.length === 1) {
    throw unreadable(
      `${wanted} is a view of the DuckDB file, not a table`,
      `If it always returns the same rows, write \`sql: SELECT * FROM ${wanted}\`.`,
    )
  }
  const tables = tableNames(all)
  throw new OwnersError(
    wanted === undefined
      ? 'the DuckDB file does not have exactly one table'
      : `the DuckDB file does not have exactly one table called ${wanted}`,
    `Name one with \`table:\`; there are ${tables.join(', ') || 'none'}.`,
    { tables },
  )
}

type Found = [schema: string, table: string, isView: boolean][]

async function tablesAndViews({ connection }: Connected): Promise<Found> {
  const result = await connection.runAndReadAll(`
    SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = '${attached}' AND NOT internal
    UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() WHERE database_name = '${attached}' AND NOT internal
    ORDER BY ALL`)
  return result.getRowsJS() as Found
}

const tableNames = (all: Found): string[] => all.filter(([, , isView]) => !isView).map(([s, t]) => spelled(s, t))

/** The tables of a DuckDB file; none of other files. */
export async function tablesIn(files: Files): Promise<string[]> {
  if (files.format !== 'database') return []
  const connected = await connect()
  try {
    await attach(connected, files.all[0]!)
    return tableNames(await tablesAndViews(connected))
  } finally {
    await connected.close()
  }
}

async function attach({ connection }: Connected, { path, real, identity }: SourceFile): Promise<void> {
  let isTheOne: boolean
  try {
    isTheOne = await opens(identity!, () => connection.run(`ATTACH ${quote(real)} AS ${attached} (READ_ONLY)`))
    await connection.run(`USE ${attached}`)
  } catch {
    throw unreadable('the DuckDB file cannot be opened', 'Another process may hold it open for writing.', { path })
  }
  if (!isTheOne) throw sourceChanged('the source is being changed right now')
}

async function view({ connection }: Connected, as: string, sql: string, message: string): Promise<void> {
  try {
    await connection.run(`CREATE TEMP VIEW ${as} AS ${sql}`)
  } catch {
    throw unreadable(message)
  }
}

/** Makes the view `records` of the source. The owner vouches for an own `sql:`; that it can be repeated is seen here. */
export async function createRecords(session: Connected, source: DuckSource, files: Files): Promise<void> {
  if (files.format === 'database') await attach(session, files.all[0]!)
  const owners = source.sql === undefined ? undefined : `SELECT * FROM (\n${source.sql.replace(/[\s;]+$/, '')}\n)`
  if (files.format === 'database') {
    const sql = owners ?? (await tableOf(session, source.table))
    await requireRepeatable(session, sql)
    return view(session, 'records', sql, owners ? failed : broken)
  }
  const sql = files.format === 'text' ? await textView(files) : parquetView(files)
  if (owners === undefined) return view(session, 'records', sql, broken)
  // Judged over an empty table of the same columns: of a reader of files DuckDB gives no plan.
  await view(session, 'files', sql, broken)
  await session.connection.run(`CREATE TEMP TABLE ${ownersName} AS FROM files LIMIT 0`)
  await requireRepeatable(session, owners)
  await session.connection.run(`DROP TABLE ${ownersName}; DROP VIEW files`)
  await view(session, ownersName, sql, broken)
  await view(session, 'records', owners, failed)
}
