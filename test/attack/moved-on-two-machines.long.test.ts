import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerPlace } from '../../src/schema/index.ts'
import { createLedger, moveLedger, openLedger } from '../../src/trusted/ledger/index.ts'
import { count, create, reserve } from '../contract/ledger-rows.ts'
import { withoutPostgres } from '../support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../support/postgres-ledger.ts'

// The attack: the same move is run on two machines at once, where the new file's name leads to two different disks. The second begins after the
// first has closed the old ledger and before the old ledger says that the new one has appeared: it must not make a second ledger.

const folder = mkdtempSync(join(tmpdir(), 'reticent-two-machines-'))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0
const file = () => ({ kind: 'sqlite', path: join(folder, `${made++}.ledger`) }) as const
const mover = resolve(import.meta.dirname, 'moving-process.ts')

/** Lets other processes work while this one stands still, as a machine does that is slow. */
function standStill(until: () => boolean): void {
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; tries < 300 && !until(); tries++) Atomics.wait(clock, 0, 0, 10)
}

const noPostgres = await withoutPostgres('moving a ledger on two machines')

describe.skipIf(noPostgres)('a ledger that is moved on two machines at once', () => {
  let database: LedgerDatabase
  beforeAll(async () => {
    database = await ledgerDatabase()
  })
  afterAll(() => database.stop())

  test.each([
    ['a file', (): LedgerPlace => file()],
    ['PostgreSQL', (): LedgerPlace => database.place()],
  ])('from %s is one ledger afterwards', async (_, from) => {
    const [old, there] = [from(), file()]
    const ledger = await createLedger(old, create, new Uint8Array(32), { owner: database.owner })
    await ledger.append(reserve(count))
    await ledger.close()
    let told = ''
    let ended: Promise<unknown> | undefined
    let calls = 0
    // Looked at for the closing row, and again for the row which says that the new ledger has appeared.
    const clock = () => {
      if (++calls === 2) {
        renameSync(there.path, `${there.path}.here`)
        const other = spawn(process.execPath, [mover, JSON.stringify(old), JSON.stringify(there)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        other.stdout.on('data', (data) => {
          told += data
        })
        ended = once(other, 'close')
        standStill(() => existsSync(there.path))
      }
      return new Date()
    }
    await moveLedger(old, there, { check: () => {}, clock })
    await ended
    const usable = await openLedger({ kind: 'sqlite', path: `${there.path}.here` })
    expect(await usable.append(reserve(count))).toMatchObject({ seq: 3 })
    await usable.close()
    expect(existsSync(there.path)).toBe(false)
    expect(told.trim()).toBe('ledger-closed')
  })
})
