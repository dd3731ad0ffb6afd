import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { countAll } from '../../src/query/index.ts'
import { formatReceipt } from '../../src/trusted/ledger/index.ts'
import { createSqliteLedger } from '../../src/trusted/ledger/sqlite/create.ts'
import { metered } from '../support/metered.ts'

let folder: string
const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0

describe.skipIf(!mayMount)('a disk that is full (needs root, to mount a small one)', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reticent-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  })
  afterEach(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })

  function fill(): void {
    const ballast = openSync(join(folder, 'ballast'), 'a')
    try {
      for (;;) writeSync(ballast, Buffer.alloc(4096))
    } catch {
      // Now it is.
    } finally {
      closeSync(ballast)
    }
  }
  const law = { kind: 'laplace', scale: rational(10) } as const

  test('since the charge was written: the error names the charge, which stands', async () => {
    const { ledger, book, buy } = await metered({
      keep: async (create, secret) => {
        const real = await createSqliteLedger(join(folder, 'people.ledger'), create, secret)
        const append: typeof real.append = (row, expected) => {
          if (row.kind === 'record') fill()
          return real.append(row, expected)
        }
        return {
          append,
          inTurn: (work) => work(append),
          read: (after) => real.read(after),
          secret: () => real.secret(),
          note: (name) => real.note(name),
          setNote: (name, value) => real.setNote(name, value),
          alone: (work, before) => real.alone(work, before),
          close: () => real.close(),
        }
      },
    })
    const failure = await buy(countAll, law).catch((error) => error)
    const [, reserved, ...rest] = await ledger.read(0)
    expect(rest).toEqual([])
    expect(failure).toMatchObject({
      code: 'ledger-unwritable',
      message: 'this was paid for in row 2 of the ledger, but its answer could not be recorded and is lost',
      facts: { charged: 2, receipt: formatReceipt(reserved!) },
    })
    expect(`${failure.message}${failure.detail}${failure.hint}`).not.toContain('half written')
    await book.follow()
    expect(book.releases.map(({ state }) => state)).toEqual(['open'])
    expect(book.spent().epsilon).toBe(1e11)
    await ledger.close()
  })

  test('before the charge: nothing is charged, and nothing is said to be', async () => {
    const { ledger, book, buy } = await metered({
      keep: (create, secret) => createSqliteLedger(join(folder, 'people.ledger'), create, secret),
    })
    // What the source looked like is noted once, before anything is full.
    await buy(countAll, law)
    fill()
    const failure = await buy(countAll, law).catch((error) => error)
    expect(failure).toMatchObject({ code: 'ledger-unwritable', facts: { path: join(folder, 'people.ledger') } })
    expect(failure.facts).not.toHaveProperty('charged')
    expect(await ledger.read(0)).toHaveLength(3)
    await book.follow()
    expect(book.spent().epsilon).toBe(1e11)
    await ledger.close()
  })
})
