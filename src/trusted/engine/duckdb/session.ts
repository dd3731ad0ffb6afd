import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBResult,
  DuckDBTypeId,
} from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { problem } from '../../../schema/index.ts'
import { type Chunk, quote, type Session } from '../sql/index.ts'
import type { Files } from './files.ts'

/** A connection of one's own to an in-memory DuckDB, before or after it is locked. */
export interface Connected extends Pick<Session, 'rows' | 'chunks' | 'keep' | 'drop' | 'cancel' | 'close'> {
  readonly connection: DuckDBConnection
  /** A folder for what must be on disk; it goes with the session. */
  readonly folder: string
}

/** Leaves room for Node and for answers below 1 GB. What does not fit goes to a folder that nobody else can read. */
const memory = '600MB'

/** The folders of sessions that are open: whatever ends the process in order takes them away. */
const folders = new Set<string>()
const remove = (folder: string) => {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}
process.once('exit', () => folders.forEach(remove))

async function spillFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reticent-'))
  folders.add(folder)
  return folder
}

/** How often a statement is interrupted: it does not notice what came before it began. */
const interruptMilliseconds = 50

export async function connect(): Promise<Connected> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const spill = await spillFolder()
  let isClosed = false
  let interrupting: NodeJS.Timeout | undefined
  const begin = () => {
    if (interrupting) throw problem('interrupted', 'interrupted')
  }
  const session: Connected = {
    connection,
    folder: spill,
    async rows(sql, visit) {
      begin()
      await eachRow(connection, sql, visit)
    },
    async chunks(sql, visit, all = `(${sql}) AS visited`) {
      begin()
      await everyChunk(connection, { sql, all }, (chunk, types) => visit(chunkOf(chunk, types)))
    },
    async keep(name, sql) {
      begin()
      await session.drop(name)
      await connection.run(`CREATE TEMP TABLE ${name} AS ${sql}`)
      return `temp.main.${name}`
    },
    async drop(name) {
      await connection.run(`DROP TABLE IF EXISTS temp.main.${name}`)
    },
    cancel() {
      if (isClosed || interrupting) return
      connection.interrupt()
      interrupting = setInterval(() => connection.interrupt(), interruptMilliseconds)
    },
    async close() {
      isClosed = true
      clearInterval(interrupting)
      try {
        connection.closeSync()
        instance.closeSync()
      } finally {
        remove(spill)
      }
    },
  }
  try {
    for (const [setting, value] of settings(spill)) await connection.run(`SET ${setting} = ${value}`)
    return session
  } catch (error) {
    await session.close()
    throw error
  }
}

const settings = (spill: string) => [
  ['memory_limit', quote(memory)],
  ['temp_directory', quote(spill)],
  ['preserve_insertion_order', 'false'],
  // Of a stream, what is there before the first rows are visited: with less, reading and counting begin to overlap sooner.
  ['streaming_buffer_size', "'200KB'"],
  ['autoinstall_known_extensions', 'false'],
  ['autoload_known_extensions', 'false'],
  ['TimeZone', "'UTC'"],
  // It turns the choice among one person's rows into an aggregate that cannot spill: 2 million people do not fit.
  ['disabled_optimizers', "'top_n_window_elimination'"],
]

/** From here on the connection reads these files and nothing else, writes nothing, and stays so. The order matters. */
export async function lock({ connection }: Connected, { all }: Pick<Files, 'all'>): Promise<void> {
  await connection.run(`SET allowed_paths = [${all.map(({ real }) => quote(real)).join(', ')}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

/** Of a result that is there as a whole before it is visited, so that whatever fails is thrown. */
const eachRow = async (connection: DuckDBConnection, sql: string, visit: Parameters<Session['rows']>[1]) =>
  eachChunk(await connection.run(sql), (chunk) => {
    const vectors = vectorsOf(chunk)
    for (let row = 0; row < chunk.rowCount; row++) visit((column) => vectors[column]!.getItem(row))
  })

type Visit = (chunk: DuckDBDataChunk, types: readonly DuckDBTypeId[]) => void

/**
 * The rows of a result as they come. The driver ends a stream that fails (memory, a disk, an owner's view) as it ends one that is
 * complete, and some of the records must never pass for all: they are counted once more, which costs little where they are kept in columns.
 */
async function everyChunk(connection: DuckDBConnection, { sql, all }: { sql: string; all: string }, visit: Visit) {
  let visited = 0
  await eachChunk(await connection.stream(sql), (chunk, types) => {
    visited += chunk.rowCount
    visit(chunk, types)
  })
  await eachRow(connection, `SELECT count(*) FROM ${all}`, (at) => {
    if (BigInt(visited) !== at(0)) throw new Error('a stream of records broke off')
  })
}

/** While a chunk is visited the next one is read, on another thread. */
async function eachChunk(result: DuckDBResult, visit: Visit) {
  const types = Array.from({ length: result.columnCount }, (_, column) => result.columnTypeId(column))
  let next = result.fetchChunk()
  for (;;) {
    const chunk = await next
    if (!chunk || chunk.rowCount === 0) return
    next = result.fetchChunk()
    try {
      visit(chunk, types)
    } catch (error) {
      // Nothing is left running, and what it may say is of no interest any more.
      await next.catch(() => {})
      throw error
    }
  }
}

const vectorsOf = (chunk: DuckDBDataChunk) =>
  Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i))

/** How DuckDB stores the whole numbers that codes are. */
const codeArrays = new Map<number, typeof Uint8Array | typeof Uint16Array | typeof Uint32Array | typeof Int32Array>([
  [DuckDBTypeId.UTINYINT, Uint8Array],
  [DuckDBTypeId.USMALLINT, Uint16Array],
  [DuckDBTypeId.UINTEGER, Uint32Array],
  [DuckDBTypeId.INTEGER, Int32Array],
])

/** A column as DuckDB holds it, where no value is NULL: copying it as a whole takes a tenth of the time of asking for each value. */
function codesOf(chunk: DuckDBDataChunk, rows: number, column: number, type: DuckDBTypeId) {
  const codes = codeArrays.get(type)
  if (!codes) return undefined
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
  const mask = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8)
  if (mask) return undefined
  const bytes = duckdb.vector_get_data(vector, rows * codes.BYTES_PER_ELEMENT)
  return new codes(bytes.buffer as ArrayBuffer, bytes.byteOffset, rows)
}

function chunkOf(chunk: DuckDBDataChunk, types: readonly DuckDBTypeId[]): Chunk {
  const rows = chunk.rowCount
  return {
    rows,
    copy(column, from, target) {
      const codes = codesOf(chunk, rows, column, types[column]!)
      if (codes)
        return target.set(from === 0 && target.length === rows ? codes : codes.subarray(from, from + target.length))
      const vector = chunk.getColumnVector(column)
      for (let row = 0; row < target.length; row++) target[row] = vector.getItem(from + row) as number
    },
  }
}
