import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { openFolder } from '../../src/index.ts'
import { tell } from '../../src/server/failure.ts'
import { openLedger } from '../../src/trusted/ledger/index.ts'
import { applicationId } from '../../src/trusted/ledger/sqlite/tables.ts'

// The attack: whoever may ask a server makes it fail where only its owner can help, a job on a full disk for one, to read in
// the refusal where files are on the machine.

const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const told = async (work: Promise<unknown>) =>
  JSON.stringify(
    tell(
      await work.then(
        () => undefined,
        (error) => error,
      ),
    ),
  )

test('a folder that nothing can be written to', async () => {
  writeFileSync(join(folder, 'job'), '')
  const said = await told(openFolder(join(folder, 'job', 'files')))
  expect(said).not.toContain(folder)
  expect(said).toContain('"status":503')
})

test('a ledger of another version', async () => {
  const path = join(folder, 'other.ledger')
  const database = new Sqlite(path)
  database.exec(`CREATE TABLE t (x); PRAGMA application_id = ${applicationId}; PRAGMA user_version = 9`)
  database.close()
  const said = await told(openLedger({ kind: 'sqlite', path }))
  expect(said).not.toContain(folder)
  expect(said).toContain('"code":"not-supported"')
})
