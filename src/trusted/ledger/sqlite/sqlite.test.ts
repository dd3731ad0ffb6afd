import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bySex, count, create, reserve } from '../../../../test/contract/ledger-rows.ts'
import { linkRow } from '../chain.ts'
import { exportRows } from '../export.ts'
import { checkSeen } from '../head/seen.ts'
import type { Ledger, StoredRow } from '../ledger.ts'
import { encodeRow } from '../rows/encode.ts'
import { createSqliteLedger } from './create.ts'
import { openSqliteLedger } from './open.ts'

const secret = Uint8Array.from({ length: 32 }, (_, i) => 200 + i)
const failure = (code: string) => expect.objectContaining({ name: 'ReticentError', code })
const record = (paidBy: number) => ({ kind: 'record', reserve: paidBy, values: [Float64Array.of(1, 2)] }) as const

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reticent-sqlite-'))
  path = join(folder, 'census.ledger')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A closed ledger of 1 + 2n rows. */
async function make(n: number): Promise<StoredRow[]> {
  const ledger = await createSqliteLedger(path, create, secret)
  for (let i = 0; i < n; i++) await ledger.append(record((await ledger.append(reserve(bySex)))!.seq))
  const rows = await ledger.read(0)
  await ledger.close()
  return rows
}
async function using<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = await openSqliteLedger(path)
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}
const readAll = () => using((ledger) => ledger.read(0))
/** Does to the file what Reticent never does. */
function tamper(sql: string): void {
  const database = new Sqlite(path)
  database.exec(sql)
  database.close()
}

describe('making a ledger', () => {
  test('gives a file that only its owner can read, and nothing beside it once it is closed', async () => {
    await make(1)
    expect(readdirSync(folder)).toEqual(['census.ledger'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('is refused where there is one, or the remains of one', async () => {
    const rows = await make(1)
    await expect(createSqliteLedger(path, create, secret)).rejects.toThrow(failure('ledger-exists'))
    expect(await readAll()).toEqual(rows)
    rmSync(path)
    writeFileSync(`${path}-wal`, 'left over')
    await expect(createSqliteLedger(path, create, secret)).rejects.toThrow(failure('ledger-exists'))
    expect(readdirSync(folder)).toEqual(['census.ledger-wal'])
  })

  test('by two at once succeeds for one', async () => {
    const both = await Promise.allSettled(
      [1, 2].map((n) => createSqliteLedger(path, { ...create, dataset: `${n}` }, secret)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: failure('ledger-exists') })
    for (const made of both) if (made.status === 'fulfilled') await made.value.close()
    expect(await readAll()).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(['census.ledger'])
  })

  test('in a folder that does not exist says so', async () => {
    const nowhere = join(folder, 'no', 'census.ledger')
    await expect(createSqliteLedger(nowhere, create, secret)).rejects.toThrow(failure('ledger-unwritable'))
    expect(readdirSync(folder)).toEqual([])
  })

  test('that fails on its first row leaves nothing', async () => {
    const privacy = { ...create.privacy, epsilon: { num: 0n, den: 1n } }
    await expect(createSqliteLedger(path, { ...create, privacy }, secret)).rejects.toThrow(failure('ledger-refused'))
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('opening', () => {
  test('finds everything again', async () => {
    const rows = await make(3)
    await using(async (ledger) => {
      expect(await ledger.read(0)).toEqual(rows)
      expect(await ledger.secret()).toEqual(secret)
      // A ledger that has read nothing yet knows what may come next all the same.
      await using((second) => expect(second.append(record(2))).rejects.toThrow(failure('ledger-refused')))
    })
  })

  test('refuses a record once another process has ended the epoch that paid for it', async () => {
    await make(1)
    await using(async (ledger) => {
      const paid = (await ledger.append(reserve(count)))!
      const epoch = { kind: 'epoch', attributes: create.attributes, fingerprint: 'new' } as const
      await using((other) => other.append(epoch))
      await expect(ledger.append(record(paid.seq))).rejects.toThrow(failure('ledger-refused'))
    })
  })

  test('never makes a ledger', async () => {
    await expect(openSqliteLedger(path)).rejects.toThrow(failure('ledger-missing'))
    await expect(openSqliteLedger(join(folder, 'no', 'x'))).rejects.toThrow(failure('ledger-missing'))
    expect(readdirSync(folder)).toEqual([])
  })

  test('refuses what is no ledger, and leaves it as it was', async () => {
    const foreign = new Sqlite(join(folder, 'foreign'))
    foreign.exec('CREATE TABLE rows (seq INTEGER PRIMARY KEY)')
    foreign.close()
    writeFileSync(join(folder, 'empty'), '')
    writeFileSync(join(folder, 'text'), 'age,sex\n'.repeat(1000))
    mkdirSync(join(folder, 'folder'))
    for (const name of ['foreign', 'empty', 'text', 'folder'])
      await expect(openSqliteLedger(join(folder, name)), name).rejects.toThrow(failure('ledger-corrupt'))
    expect(statSync(join(folder, 'empty')).size).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['empty', 'folder', 'foreign', 'text'])
  })

  test('refuses one of another version', async () => {
    await make(0)
    tamper('PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)')
    await expect(openSqliteLedger(path)).rejects.toThrow(failure('not-supported'))
  })
})

describe('a damaged ledger is refused:', () => {
  test('cut short anywhere', async () => {
    const rows = await make(60)
    const whole = readFileSync(path)
    expect(whole.length).toBeGreaterThan(20_000)
    for (let length = whole.length - 1; length >= 0; length -= 997) {
      writeFileSync(path, whole)
      truncateSync(path, length)
      await expect(readAll(), `${length} bytes`).rejects.toThrow(failure('ledger-corrupt'))
    }
    writeFileSync(path, whole)
    expect(await readAll()).toEqual(rows)
  })

  test('with bytes changed anywhere, unless they mean nothing', async () => {
    const rows = await make(20)
    const whole = readFileSync(path)
    let refused = 0
    for (let at = 0; at < whole.length; at += 149) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 0x15
      writeFileSync(path, changed)
      try {
        expect(await readAll(), `byte ${at}`).toEqual(rows)
      } catch (error) {
        expect(error, `byte ${at}`).toMatchObject({ code: expect.stringMatching(/^(ledger-corrupt|not-supported)$/) })
        refused++
      }
    }
    expect(refused).toBeGreaterThan(50)
  })

  const unbolted = 'DROP TRIGGER rows_are_never_changed; DROP TRIGGER rows_are_never_deleted;'
  const changes = {
    'a changed row': "UPDATE rows SET body = replace(body, '10', '90') WHERE seq = 2",
    'a changed time': "UPDATE rows SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 2",
    'a changed blob': "UPDATE rows SET blob = x'020406' WHERE seq = 3",
    'a row deleted from the middle': 'DELETE FROM rows WHERE seq = 3',
    'a row deleted from the beginning': 'DELETE FROM rows WHERE seq = 1',
    'all rows deleted': 'DELETE FROM rows',
    'a row added by hand': "INSERT INTO rows VALUES (8, '2020-01-01T00:00:00.000Z', '{}', x'', 'abc', NULL)",
    'a row of other types':
      "CREATE TABLE bare AS SELECT * FROM rows; DROP TABLE rows; ALTER TABLE bare RENAME TO rows; UPDATE rows SET at = x'00'",
    'the table renamed': 'ALTER TABLE rows RENAME TO lines',
  }
  for (const [name, sql] of Object.entries(changes)) {
    test(name, async () => {
      await make(3)
      tamper(unbolted + sql)
      await expect(readAll()).rejects.toThrow(failure('ledger-corrupt'))
      const append = using((ledger) => ledger.append(reserve(count)))
      await expect(append).rejects.toThrow(failure('ledger-corrupt'))
    })
  }

  test('with a good chain over rows that do not fit, once something is to be appended', async () => {
    await make(1)
    const [first, paid] = await readAll()
    const forged = linkRow(paid!, first!.at, encodeRow({ kind: 'void', reserve: 77 }))
    const database = new Sqlite(path)
    database.exec(`${unbolted} DELETE FROM rows WHERE seq = 3`)
    database.prepare('INSERT INTO rows VALUES (@seq, @at, @body, @blob, @hash, NULL)').run(forged)
    database.close()
    await using(async (ledger) => {
      expect(await ledger.read(0)).toHaveLength(3)
      await expect(ledger.append(reserve(count))).rejects.toThrow(failure('ledger-corrupt'))
    })
  })

  test('without its key', async () => {
    await make(0)
    tamper('DELETE FROM secrets')
    await expect(using((ledger) => ledger.secret())).rejects.toThrow(failure('ledger-corrupt'))
  })
})

describe('the file', () => {
  test('stops changes by hand', async () => {
    await make(1)
    expect(() => tamper('DELETE FROM rows')).toThrow('append-only')
    expect(() => tamper("UPDATE rows SET at = ''")).toThrow('append-only')
  })

  test('restored from a backup lacks the head last seen', async () => {
    await make(1)
    copyFileSync(path, join(folder, 'backup'))
    const head = await using((ledger) => ledger.append(reserve(count)))
    await using((ledger) => checkSeen(ledger, head))
    copyFileSync(join(folder, 'backup'), path)
    await using((ledger) => expect(checkSeen(ledger, head)).rejects.toThrow(failure('ledger-rolled-back')))
    // Nor does it once the place of the lost row is taken by another.
    await using(async (ledger) => {
      await ledger.append(reserve(bySex))
      await expect(checkSeen(ledger, head)).rejects.toThrow(failure('ledger-rolled-back'))
    })
  })

  test('replaced or removed while it is open is not written to any more', async () => {
    await make(1)
    copyFileSync(path, join(folder, 'backup'))
    await using(async (ledger) => {
      await ledger.append(reserve(count))
      renameSync(join(folder, 'backup'), path)
      await expect(ledger.append(reserve(count))).rejects.toThrow(failure('ledger-rolled-back'))
      rmSync(path)
      await expect(ledger.append(reserve(count))).rejects.toThrow(failure('ledger-missing'))
    })
  })

  test('rewound by another process is noticed by one that has it open', async () => {
    await make(1)
    await using(async (ledger) => {
      const head = (await ledger.append(reserve(count)))!
      tamper(`DROP TRIGGER rows_are_never_deleted; DELETE FROM rows WHERE seq = ${head.seq}`)
      await expect(ledger.append(reserve(bySex))).rejects.toThrow(failure('ledger-rolled-back'))
      await expect(ledger.read(head.seq)).rejects.toThrow(failure('ledger-rolled-back'))
    })
  })

  test('holds the key, its export does not', async () => {
    const lines = exportRows(await make(2)).join('\n')
    const forms = (['hex', 'base64', 'latin1', 'utf8'] as const).map((form) => Buffer.from(secret).toString(form))
    expect(readFileSync(path).includes(Buffer.from(secret))).toBe(true)
    for (const form of [...forms, [...secret].join(',')]) expect(lines.includes(form)).toBe(false)
  })
})

/** A small disk of its own, which root may mount; its reason is printed where that is not possible. */
function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'reticent-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' })
    execFileSync('umount', [place])
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { recursive: true })
  }
}

describe.skipIf(!canMount())('on a disk of its own (needs the right to mount one)', () => {
  beforeEach(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  })
  afterEach(() => {
    // Lazily: what was read-only may still be held for a moment.
    execFileSync('umount', ['-l', folder])
  })

  test('that is full an append fails, and the ledger stays as it was', async () => {
    const ledger = await createSqliteLedger(path, create, secret)
    let rows = 1
    const filling = async () => {
      for (; rows < 10_000; rows++) await ledger.append(reserve(count))
    }
    await expect(filling()).rejects.toThrow(failure('ledger-unwritable'))
    expect(rows).toBeGreaterThan(2)
    expect(await ledger.read(0)).toHaveLength(rows)
    // Another row may fit yet, since its hash sorts elsewhere; with nothing left at all none does.
    expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(1 << 18))).toThrow('ENOSPC')
    await expect(ledger.append(reserve(count))).rejects.toThrow(failure('ledger-unwritable'))
    await ledger.close()
    expect(await readAll()).toHaveLength(rows)
  })

  test('with too little space no ledger is made, nor half of one', async () => {
    const outcomes = new Set<boolean>()
    for (let free = 4; free <= 128; free += 4) {
      writeFileSync(join(folder, 'ballast'), Buffer.alloc((256 - free) * 1024))
      const made = await createSqliteLedger(path, create, secret).then(
        async (ledger) => {
          await ledger.close()
          return true
        },
        (error) => {
          expect(error).toMatchObject({ code: 'ledger-unwritable' })
          return false
        },
      )
      outcomes.add(made)
      expect(readdirSync(folder).sort()).toEqual(made ? ['ballast', 'census.ledger'] : ['ballast'])
      if (made) expect(await readAll()).toHaveLength(1)
      rmSync(path, { force: true })
    }
    expect(outcomes.size).toBe(2)
  })

  test('that is read-only nothing is made or written', async () => {
    await make(1)
    execFileSync('mount', ['-o', 'remount,ro', folder])
    await expect(using((ledger) => ledger.append(reserve(count)))).rejects.toThrow(failure('ledger-unwritable'))
    await expect(createSqliteLedger(join(folder, 'new'), create, secret)).rejects.toThrow(failure('ledger-unwritable'))
  })
})

describe.skipIf(process.getuid?.() === 0)('where permissions bind (they do not for root)', () => {
  test('a folder that may not be written to refuses', async () => {
    await make(1)
    chmodSync(folder, 0o500)
    await expect(using((ledger) => ledger.append(reserve(count)))).rejects.toThrow(failure('ledger-unwritable'))
    await expect(createSqliteLedger(join(folder, 'new'), create, secret)).rejects.toThrow(failure('ledger-unwritable'))
    chmodSync(folder, 0o700)
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })
})
