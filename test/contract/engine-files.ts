import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openEngine } from '../../src/trusted/engine/index.ts'
import type { MakeEngine } from './engine.ts'
import { type Table, temporary } from './engine-table.ts'

const folder = temporary()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let number = 0

/** Writes the table to a new file with this ending and opens it. */
export const through =
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
