import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { count, create, reserve } from '../../../../test/contract/ledger-rows.ts'
import { verifyRows } from '../structure.ts'
import { createSqliteLedger } from './create.ts'
import { openSqliteLedger } from './open.ts'

const script = resolve(import.meta.dirname, '../../../../test/contract/ledger-process.ts')
const secret = new Uint8Array(32)

let folder: string
let path: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reticent-processes-'))
  path = join(folder, 'census.ledger')
  await (await createSqliteLedger(path, create, secret)).close()
})
afterEach(() => rmSync(folder, { recursive: true }))

const start = (...args: string[]) =>
  spawn(process.execPath, [script, path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })

async function rowsNow() {
  const ledger = await openSqliteLedger(path)
  try {
    return await ledger.read(0)
  } finally {
    await ledger.close()
  }
}

describe('several processes on one ledger', () => {
  test('append one after the other, none on a head that has moved', async () => {
    const each = 150
    const children = [start('compete', `${each}`), start('compete', `${each}`)]
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    for (const { stdin } of children) stdin.end()
    const moved = await Promise.all(children.map(async ({ stdout }) => Number((await stdout.toArray()).join(''))))
    const rows = await rowsNow()
    expect(rows).toHaveLength(1 + 2 * each)
    expect(verifyRows(rows)).toEqual([])
    const writers = Map.groupBy(rows.slice(1), ({ row }) => (row.kind === 'reserve' ? row.analyst : ''))
    expect([...writers.values()].map((mine) => mine.length)).toEqual([each, each])
    // They really did meet: somebody came too late at least once, and had to look again.
    expect(moved[0]! + moved[1]!).toBeGreaterThan(0)
  })

  test('that are killed in the middle leave a good chain with everything that was acknowledged', async () => {
    for (const rows of [1, 40, 95]) {
      const child = start('hurry')
      let acknowledged = 0
      let seen = 0
      for await (const line of createInterface(child.stdout)) {
        acknowledged = Number(line)
        if (++seen === rows) child.kill('SIGKILL')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(child.signalCode).toBe('SIGKILL')
      const now = await rowsNow()
      expect(now.length).toBeGreaterThanOrEqual(acknowledged)
      // At most the one row that was under way when it died.
      expect(now.length).toBeLessThanOrEqual(acknowledged + 1)
      expect(verifyRows(now)).toEqual([])
    }
  })

  test('wait for each other, and give up in the end', async () => {
    const ledger = await openSqliteLedger(path, { busyMilliseconds: 50 })
    const other = new Sqlite(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(ledger.append(reserve(count))).rejects.toThrow(expect.objectContaining({ code: 'ledger-busy' }))
    expect(await ledger.read(0)).toHaveLength(1)
    other.exec('COMMIT')
    other.close()
    expect((await ledger.append(reserve(count)))?.seq).toBe(2)
    await ledger.close()
  })
})

test.skipIf(process.platform === 'win32')('a ledger that may not grow refuses, and keeps what it had', async () => {
  // The shell's limit on the size of files, in blocks of 512 or 1024 bytes, stands for a disk with no space left.
  const limited = spawn(
    'sh',
    ['-c', 'trap "" XFSZ; ulimit -f 300; exec "$0" "$@"', process.execPath, script, path, 'fill'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = (await limited.stdout.toArray()).join('').trim().split('\n')
  expect(lines.at(-1)).toBe('ledger-unwritable')
  const rows = await rowsNow()
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.at(-1)!.seq).toBe(Number(lines.at(-2)))
  expect(verifyRows(rows)).toEqual([])
  const ledger = await openSqliteLedger(path)
  expect((await ledger.append(reserve(count)))?.seq).toBe(rows.length + 1)
  await ledger.close()
})
