import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { memoryEngine } from '../../src/evaluation/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { engineContract, type MakeEngine } from './engine.ts'
import { type Table, temporary, writeCsv, writeDatabase, writeParquet } from './engine-table.ts'

const folder = temporary()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let number = 0

/** Writes the table to a new file with this ending and opens it. */
const through =
  (ending: string, write: (path: string, table: Table) => void | Promise<void>): MakeEngine =>
  async (table, setting) => {
    const path = join(folder, `${number++}.${ending}`)
    await write(path, table)
    const engine = await openEngine({ source: { kind: 'duckdb', path }, ...setting })
    const replace = async (other: Table) => {
      renameSync(path, `${path}.away`)
      await write(path, other)
      return () => renameSync(`${path}.away`, path)
    }
    return { engine, replace }
  }

const text = { noTypes: 'a text file has no types', noEmptyText: 'an empty field is NULL in a text file' }

engineContract('memory', async ({ rows }, setting) => ({ engine: memoryEngine({ rows, ...setting }) }), {
  fixed: 'records in memory never change',
})
engineContract('duckdb over csv', through('csv', writeCsv), text)
engineContract('duckdb over parquet', through('parquet', writeParquet))
engineContract('duckdb over a DuckDB file', through('duckdb', writeDatabase))
