import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { duckdbDatabase } from '../../src/trusted/engine/duckdb/index.ts'

// The attack: the folder of a DuckDB file is renamed, with another in its place, and back once the file was opened. Nothing about the file
// has changed then, and what was opened, and stays open, is another one.

const root = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function write(folder: string, records: number): Promise<void> {
  mkdirSync(join(root, folder))
  const instance = await DuckDBInstance.create(join(root, folder, 't.duckdb'))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE t AS SELECT 1 AS n FROM range(${records})`)
  connection.closeSync()
  instance.closeSync()
}
function swap(): void {
  const at = (name: string) => join(root, name)
  renameSync(at('data'), at('aside'))
  renameSync(at('other'), at('data'))
  renameSync(at('aside'), at('other'))
}

test.skipIf(!existsSync('/proc/self/fd'))('what is opened is what was looked at', async () => {
  await write('data', 1)
  await write('other', 9)
  const path = join(root, 'data', 't.duckdb')
  const database = duckdbDatabase({ kind: 'duckdb', path, table: 't' })
  const look = await database.look(new Uint8Array(32))
  // Somebody else may hold the right one open.
  const held = await database.open(look)
  swap()
  await expect(database.open(look)).rejects.toMatchObject({ code: 'source-changed' })
  swap()
  expect(await database.look(new Uint8Array(32))).toEqual(look)
  const session = await database.open(look)
  await session.rows(`SELECT count(*) FROM ${session.records}`, (at) => expect(Number(at(0))).toBe(1))
  await session.close()
  await held.close()
})
