import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSqliteLedger } from '../../src/trusted/ledger/sqlite/create.ts'
import { create } from '../contract/ledger-rows.ts'

const script = resolve(import.meta.dirname, '../contract/ledger-process.ts')
const nobody = 65534

let folder: string
let path: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reticent-left-'))
  path = join(folder, 'census.ledger')
  await (await createSqliteLedger(path, create, new Uint8Array(32))).close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Permissions bind everybody but root, so the ledger is somebody else's, who also appends a row to it. */
const append = () => {
  const as = { uid: nobody, gid: nobody, encoding: 'utf8', input: '' } as const
  return spawnSync(process.execPath, [script, path, 'compete', '1'], as).stdout
}
const give = () => {
  for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), nobody, nobody)
}
const canBeNobody =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['-v'], { uid: nobody, gid: nobody }).status === 0

describe.skipIf(!canBeNobody)('what a process left beside a read-only ledger (needs root, to be somebody else)', () => {
  test('does not outlive mended permissions: the index of a log', () => {
    const old = new Sqlite(path)
    old.pragma('journal_mode = WAL')
    old.close()
    writeFileSync(`${path}-shm`, '')
    chmodSync(`${path}-shm`, 0o444)
    give()
    expect(append()).toBe('ready\n0\n')
  })

  test('does not outlive mended permissions: an empty journal', () => {
    writeFileSync(`${path}-journal`, '')
    chmodSync(`${path}-journal`, 0o444)
    give()
    expect(append()).toBe('ready\n0\n')
    expect(readdirSync(folder)).toEqual(['census.ledger'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})
