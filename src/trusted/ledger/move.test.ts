import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bySex, count, create, laplace, reserve } from '../../../test/contract/ledger-rows.ts'
import { withoutPostgres } from '../../../test/support/postgres.ts'
import { type LedgerDatabase, ledgerDatabase } from '../../../test/support/postgres-ledger.ts'
import type { LedgerPlace } from '../../schema/index.ts'
import { linkRow } from './chain.ts'
import { closing } from './closing.ts'
import { requireSeen } from './head/seen.ts'
import type { Ledger } from './ledger.ts'
import { moveLedger } from './move.ts'
import { createLedger, openLedger } from './place.ts'
import { placeName } from './postgres/connection.ts'
import { movablePostgresLedger } from './postgres/movable.ts'
import { containsReceipt, formatReceipt } from './receipt.ts'
import { movableSqliteLedger } from './sqlite/movable.ts'

const secret = Uint8Array.from({ length: 32 }, (_, i) => i * 7)
const failure = (code: string) => expect.objectContaining({ code })
const check = () => {}
const script = resolve(import.meta.dirname, '../../../test/contract/ledger-process.ts')

const folder = mkdtempSync(join(tmpdir(), 'reticent-move-'))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0
const file = (): LedgerPlace => ({ kind: 'sqlite', path: join(folder, `${made++}.ledger`) })

describe.skipIf(await withoutPostgres('moving ledgers to and from PostgreSQL'))('a ledger is moved', () => {
  let database: LedgerDatabase
  beforeAll(async () => {
    database = await ledgerDatabase()
  })
  afterAll(() => database.stop())

  const places = { 'a file': file, PostgreSQL: (): LedgerPlace => database.place() }
  const owner = () => database.owner
  async function make(place: LedgerPlace): Promise<LedgerPlace> {
    const ledger = await createLedger(place, create, secret, { owner: owner() })
    await ledger.append(reserve(bySex))
    await ledger.append({ kind: 'record', reserve: 2, values: [Float64Array.of(-7, 2 ** 45)] })
    await ledger.append({ kind: 'refine', analyst: 'Zoë', statement: null, parent: '2.0', law: laplace(1) })
    await ledger.close()
    return place
  }
  async function using<T>(place: LedgerPlace, work: (ledger: Ledger) => Promise<T>): Promise<T> {
    const ledger = await openLedger(place)
    try {
      return await work(ledger)
    } finally {
      await ledger.close()
    }
  }

  for (const [one, from] of Object.entries(places))
    for (const [two, to] of Object.entries(places)) {
      test(`from ${one} to ${two}: rows, receipts and key are the same, and the old one is closed`, async () => {
        const [old, place] = [await make(from()), to()]
        const open = await openLedger(old)
        const rows = await open.read(0)
        expect(await moveLedger(old, place, { owner: owner(), check })).toMatchObject({ rows: 4, already: false })
        await using(place, async (ledger) => {
          expect(await ledger.read(0)).toEqual(rows)
          for (const row of rows) expect(await containsReceipt(ledger, formatReceipt(row))).toBe(true)
          expect(await ledger.secret()).toEqual(secret)
          // A second refinement of the same answer is refused there, too.
          const again = { kind: 'refine', analyst: null, statement: null, parent: '2.0', law: laplace(1) } as const
          await expect(ledger.append(again)).rejects.toThrow(failure('ledger-refused'))
          expect((await ledger.append(reserve(count)))?.seq).toBe(5)
        })
        // Who had it open cannot go on, nor who opens it.
        await expect(open.append(reserve(count))).rejects.toThrow(failure('ledger-closed'))
        await expect(open.append(reserve(count), rows.at(-1))).rejects.toThrow(failure('ledger-closed'))
        await expect(open.read(4)).rejects.toThrow(failure('ledger-closed'))
        await open.close()
        await using(old, (ledger) => expect(ledger.read(0)).rejects.toThrow(failure('ledger-closed')))
        // The same again says so; elsewhere it does not go.
        const again = await moveLedger(old, place, { owner: owner(), check })
        expect(again).toMatchObject({ already: true, rows: 4 })
        await expect(moveLedger(old, file(), { check })).rejects.toThrow(failure('ledger-closed'))
      })

      test(`from ${one} to ${two}: interrupted before the new one appears there is none, and the same move goes on`, async () => {
        const [old, place] = [await make(from()), to()]
        // As it stands when the process dies between the closing of the old one and the appearance of the new one.
        const source = await (old.kind === 'sqlite' ? movableSqliteLedger(old.path) : movablePostgresLedger(old))
        const head = (await source.contents()).rows.at(-1)!
        const name = place.kind === 'sqlite' ? place.path : placeName(place)
        expect(await source.finish(head, (last) => linkRow(last, head.at, closing(name)))).toEqual([])
        await source.close()
        await using(old, (ledger) => expect(ledger.read(0)).rejects.toThrow(failure('ledger-closed')))
        await expect(openLedger(place)).rejects.toThrow(failure('ledger-missing'))
        await expect(moveLedger(old, to(), { owner: owner(), check })).rejects.toThrow(failure('ledger-closed'))
        expect(await moveLedger(old, place, { owner: owner(), check })).toMatchObject({ already: false, rows: 4 })
        expect(await using(place, (ledger) => ledger.read(0))).toHaveLength(4)
      })
    }

  for (const [one, from] of Object.entries(places))
    test(`from ${one}, and elsewhere at the same time: it is closed once, and the first move goes on`, async () => {
      const [old, first, second] = [await make(from()), file(), file()]
      const sourceOf = () => (old.kind === 'sqlite' ? movableSqliteLedger(old.path) : movablePostgresLedger(old))
      const [one, two] = [await sourceOf(), await sourceOf()]
      const head = (await one.contents()).rows.at(-1)!
      const close = (source: typeof one, to: LedgerPlace) =>
        source.finish(head, (last) => linkRow(last, head.at, closing((to as { path: string }).path)))
      await close(one, first)
      await one.close()
      await expect(close(two, second)).rejects.toThrow(failure('ledger-closed'))
      await two.close()
      await expect(moveLedger(old, second, { check })).rejects.toThrow(failure('ledger-closed'))
      expect(await moveLedger(old, first, { check })).toMatchObject({ already: false, rows: 4 })
    })

  test('not onto another, not where it cannot be made: the old one stays open', async () => {
    const [old, taken] = [await make(file()), await make(database.place())]
    await expect(moveLedger(old, taken, { owner: owner(), check })).rejects.toMatchObject({
      code: 'ledger-exists',
      hint: expect.stringContaining('Choose another'),
    })
    await expect(moveLedger(old, database.place(), { check })).rejects.toThrow(failure('usage'))
    await expect(moveLedger(old, database.place(), { owner: database.url, check })).rejects.toThrow(
      failure('ledger-unsafe'),
    )
    await expect(moveLedger(old, old, { check })).rejects.toThrow(failure('usage'))
    const nowhere: LedgerPlace = { kind: 'sqlite', path: join(folder, 'no', 'such', 'folder') }
    await expect(moveLedger(old, nowhere, { check })).rejects.toThrow(failure('ledger-unwritable'))
    expect((await using(old, (ledger) => ledger.append(reserve(count))))?.seq).toBe(5)
    expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([])
  })

  for (const [one, from] of Object.entries(places))
    test(`from ${one}, once more where its new name leads elsewhere: there is no second one`, async () => {
      const [old, there] = [await make(from()), file() as { path: string } & LedgerPlace]
      await moveLedger(old, there, { check })
      // As on another machine, or for an owner who has put the new one away.
      renameSync(there.path, `${there.path}.away`)
      await expect(moveLedger(old, there, { check })).rejects.toThrow(failure('ledger-closed'))
      await expect(openLedger(there)).rejects.toThrow(failure('ledger-missing'))
      renameSync(`${there.path}.away`, there.path)
      expect(await moveLedger(old, there, { check })).toMatchObject({ already: true, rows: 4 })
      await using(old, (ledger) => expect(ledger.read(0)).rejects.toThrow(failure('ledger-closed')))
    })

  test('not from an older copy', async () => {
    const old = await make(file())
    const copy = file() as { path: string } & LedgerPlace
    copyFileSync((old as { path: string }).path, copy.path)
    const seen = (await using(old, (ledger) => ledger.append(reserve(count))))!
    const place = database.place()
    const moving = moveLedger(copy, place, { owner: owner(), check: (rows) => requireSeen(rows, seen) })
    await expect(moving).rejects.toThrow(failure('ledger-rolled-back'))
    expect((await using(copy, (ledger) => ledger.append(reserve(count))))?.seq).toBe(5)
  })

  for (const [name, from] of Object.entries(places))
    test(`from ${name} while another process appends: every row that was acknowledged is there, and none after`, async () => {
      const old = await make(from())
      const to = name === 'PostgreSQL' ? file() : database.place()
      const child = spawn(process.execPath, [script, JSON.stringify(old), 'fill'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let told = ''
      child.stdout.on('data', (data) => {
        told += data
      })
      const ended = once(child, 'close')
      await once(child.stdout, 'data')
      const { rows } = await moveLedger(old, to, { owner: owner(), check })
      await ended
      const lines = told.trim().split('\n')
      expect(lines.at(-1)).toBe('ledger-closed')
      expect(Number(lines.at(-2))).toBe(rows)
      expect(await using(to, (ledger) => ledger.read(0))).toHaveLength(rows)
    })
})
