import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { ReticentError } from '../../../schema/index.ts'
import { type Files, OwnersError, unreadableSource } from './files.ts'
import { quote } from './sql.ts'

/** A connection of one's own to an in-memory DuckDB, before or after it is locked. */
export interface Session {
  readonly connection: DuckDBConnection
  close(): Promise<void>
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

export async function openSession(): Promise<Session> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const spill = await spillFolder()
  const session = {
    connection,
    async close() {
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
  ['autoinstall_known_extensions', 'false'],
  ['autoload_known_extensions', 'false'],
  ['TimeZone', "'UTC'"],
  // It turns the choice among one person's rows into an aggregate that cannot spill: 2 million people do not fit.
  ['disabled_optimizers', "'top_n_window_elimination'"],
]

/** From here on the connection reads these files and nothing else, writes nothing, and stays so. The order matters. */
export async function lock({ connection }: Session, { all }: Pick<Files, 'all'>): Promise<void> {
  await connection.run(`SET allowed_paths = [${all.map(({ real }) => quote(real)).join(', ')}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

/**
 * Whatever DuckDB says may hold a value from the data, so nothing of it goes on: not even as a cause. Neither does what
 * only the owner should read.
 */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OwnersError) throw unreadableSource()
    if (error instanceof ReticentError) throw error
    throw new ReticentError(
      'engine-failed',
      {},
      { message: 'the source could not be read', hint: 'Its owner finds out why with `reticent check`.' },
    )
  }
}
