import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLedger, type StoredRow } from '../../src/trusted/ledger/index.ts'
import { createSqliteLedger } from '../../src/trusted/ledger/sqlite/create.ts'
import { openSqliteLedger } from '../../src/trusted/ledger/sqlite/open.ts'
import { count, create, reserve } from '../contract/ledger-rows.ts'

const script = resolve(import.meta.dirname, '../contract/ledger-process.ts')
const refusal = (code: string) => expect.objectContaining({ name: 'ReticentError', code })

let folder: string
let path: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reticent-names-'))
  path = join(folder, 'census.ledger')
  await (await createSqliteLedger(path, create, new Uint8Array(32))).close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (name = path) => openLedger({ kind: 'sqlite', path: name })
async function rowsOf(name: string): Promise<StoredRow[]> {
  const ledger = await open(name)
  try {
    return await ledger.read(0)
  } finally {
    await ledger.close()
  }
}

describe('a ledger file under a second name', () => {
  test('by a hard link is opened under neither, and not appended to by those who have it open', async () => {
    const ledger = await open()
    await ledger.append(reserve(count))
    const other = join(folder, 'other.ledger')
    linkSync(path, other)
    await expect(ledger.append(reserve(count))).rejects.toThrow(refusal('ledger-two-names'))
    await expect(open(other)).rejects.toThrow(refusal('ledger-two-names'))
    await expect(open(path)).rejects.toThrow(refusal('ledger-two-names'))
    rmSync(other)
    expect((await ledger.append(reserve(count)))?.seq).toBe(3)
    await ledger.close()
  })

  test('sells nothing twice to a process on each name', async () => {
    const other = join(folder, 'other.ledger')
    const start = (name: string) =>
      spawn(process.execPath, [script, name, 'compete', '20'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const first = start(path)
    await once(first.stdout, 'data')
    linkSync(path, other)
    const second = start(other)
    for (const { stdin } of [first, second]) {
      stdin.on('error', () => {})
      stdin.end()
    }
    await Promise.all([first, second].map((child) => once(child, 'close')))
    expect([first.exitCode, second.exitCode]).toEqual([1, 1])
    rmSync(other)
    expect(await rowsOf(path)).toHaveLength(1)
  })

  test('by a symbolic link, of the file or of its folder, is the same ledger', async () => {
    symlinkSync(path, join(folder, 'link'))
    symlinkSync(folder, join(folder, 'same'))
    const names = [path, join(folder, 'link'), join(folder, 'same', 'census.ledger')]
    const opened = await Promise.all(names.map(open))
    for (const ledger of opened) await ledger.append(reserve(count))
    for (const ledger of opened) expect(await ledger.read(0)).toHaveLength(4)
    for (const ledger of opened) await ledger.close()
    expect(readdirSync(folder).sort()).toEqual(['census.ledger', 'link', 'same'])
  })

  test('that it was moved to is another place, and who has the old one open stops', async () => {
    const ledger = await open()
    const head = await ledger.append(reserve(count))
    renameSync(path, `${path}.moved`)
    const moved = await open(`${path}.moved`)
    // Every row is in the file itself, so nothing stayed behind.
    expect((await moved.read(0)).at(-1)).toEqual(head)
    await moved.append(reserve(count))
    await expect(ledger.append(reserve(count))).rejects.toThrow(refusal('ledger-missing'))
    for (const each of [ledger, moved]) await each.close()
  })
})

test('the lock is on the file: a writer under one name keeps out a writer under another', async () => {
  const ledger = await open()
  const other = join(folder, 'other.ledger')
  linkSync(path, other)
  const holding = `const Sqlite = require('better-sqlite3'); const db = new Sqlite(${JSON.stringify(other)})
    db.exec('BEGIN IMMEDIATE'); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(holder.stdout, 'data')
    rmSync(other)
    const direct = new Sqlite(path, { timeout: 0 })
    expect(() => direct.exec('BEGIN IMMEDIATE')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }))
    direct.close()
  } finally {
    holder.kill()
    await once(holder, 'close')
  }
  expect((await ledger.append(reserve(count)))?.seq).toBe(2)
  await ledger.close()
})

const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0

test.skipIf(!mayMount)('a ledger mounted by itself is not opened; its folder may be mounted (needs root)', () => {
  const elsewhere = join(folder, 'else where')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'census.ledger'), '')
  const inside = (from: string, to: string) =>
    execFileSync(
      'unshare',
      [
        '-m',
        'sh',
        '-c',
        'mount --bind "$1" "$2" && exec "$3" "$4" "$5" peek',
        'sh',
        from,
        to,
        process.execPath,
        script,
        join(elsewhere, 'census.ledger'),
      ],
      { encoding: 'utf8' },
    )
  expect(inside(path, join(elsewhere, 'census.ledger'))).toBe('ledger-two-names\n')
  expect(inside(folder, elsewhere)).toBe('1\n')
})

describe('a ledger of an older version, with a write-ahead log,', () => {
  /** As they were made before. */
  const makeOld = () => {
    const database = new Sqlite(path)
    database.pragma('journal_mode = WAL')
    return database
  }

  test('is changed over when it is opened, with the rows that were only in its log', async () => {
    const rows = await rowsOf(path)
    const old = makeOld()
    old.prepare("INSERT INTO notes VALUES ('from', 'the log')").run()
    // As a process leaves it that is killed.
    const files = ['', '-wal', '-shm'].map((suffix) => [suffix, readFileSync(path + suffix)] as const)
    old.close()
    for (const [suffix, bytes] of files) writeFileSync(path + suffix, bytes)
    const ledger = await open()
    expect(await ledger.read(0)).toEqual(rows)
    expect(await ledger.note('from')).toBe('the log')
    await ledger.append(reserve(count))
    await ledger.close()
    expect(readdirSync(folder)).toEqual(['census.ledger'])
    // 2 would be a log: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
    expect([...readFileSync(path).subarray(18, 20)]).toEqual([1, 1])
  })

  test('waits until nobody has it open the old way', async () => {
    const old = makeOld()
    old.exec('SELECT * FROM rows')
    await expect(openSqliteLedger(path, { busyMilliseconds: 20 })).rejects.toThrow(refusal('ledger-busy'))
    old.close()
    expect(await rowsOf(path)).toHaveLength(1)
  })
})
