import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { count, create, reserve } from '../../../../test/contract/ledger-rows.ts'
import { memoryLedger } from '../../../evaluation/index.ts'
import { Book } from '../book.ts'
import type { Ledger } from '../ledger.ts'
import { moveLedger } from '../move.ts'
import { createLedger, openLedger } from '../place.ts'
import { formatReceipt, parseReceipt } from '../receipt.ts'
import { checkSeen, headFileOf, keepSeen, readSeen } from './seen.ts'

const head = { seq: 42, hash: '0123456789abcdef'.repeat(4) }

test('a receipt is the number of a row and its hash', () => {
  expect(formatReceipt(head)).toBe(`42:${head.hash}`)
  expect(parseReceipt(`${formatReceipt(head)}\n`)).toEqual(head)
  for (const text of [
    '',
    '42',
    `0:${head.hash}`,
    `-1:${head.hash}`,
    `42:${head.hash}0`,
    `42:${head.hash.toUpperCase()}`,
  ])
    expect(parseReceipt(text)).toBeUndefined()
})

describe('the head last seen', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'reticent-seen-'))
    file = join(folder, 'reticent.yaml.head')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const fresh = (dataset = 'census') => memoryLedger({ ...create, dataset }, new Uint8Array(32))
  const keep = async (ledger: Ledger) => keepSeen(file, ledger, await Book.open(ledger))

  test('stands beside the policy, in a file for each', () => {
    const names = ['/a/reticent.yaml', '/a/reticent.yml', '/a.yaml/policy'].map(headFileOf)
    expect(names).toEqual(['/a/reticent.yaml.head', '/a/reticent.yml.head', '/a.yaml/policy.head'])
  })

  test('comes back with what was spent, and nothing is left beside it', async () => {
    const ledger = await fresh()
    expect(readSeen(file)).toBeUndefined()
    expect(await keep(ledger)).toBe(true)
    const [first] = await ledger.read(0)
    const second = (await ledger.append(reserve(count)))!
    expect(await keep(ledger)).toBe(true)
    const billed = { epsilon: 1e11, rho: 5e9 }
    expect(readSeen(file)).toEqual({
      seq: 2,
      hash: second.hash,
      spent: { epsilon: 1e11, rho: null },
      marks: [{ seq: 1, hash: first!.hash, billed }],
    })
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(formatReceipt(second))
    expect(readdirSync(folder)).toEqual(['reticent.yaml.head'])
  })

  test('only ever moves forward, and never to another ledger however long', async () => {
    const [ledger, other] = [await fresh(), await fresh('other')]
    const early = await Book.open(ledger)
    await ledger.append(reserve(count))
    await keep(ledger)
    const before = readFileSync(file, 'utf8')
    expect(await keepSeen(file, ledger, early)).toBe(true)
    for (let i = 0; i < 5; i++) await other.append(reserve(count))
    expect(await keep(other)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('is left as it is where somebody has kept a row that is late enough', async () => {
    const ledger = await fresh()
    const paid = (await ledger.append(reserve(count)))!
    await keep(ledger)
    const before = readFileSync(file, 'utf8')
    const later = (await ledger.append(reserve(count)))!
    const book = await Book.open(ledger)
    expect(await keepSeen(file, ledger, book, paid.seq)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(before)
    // One more row is needed: then the newest is kept.
    const last = (await ledger.append(reserve(count)))!
    expect(await keepSeen(file, ledger, await Book.open(ledger), later.seq)).toBe(true)
    expect(readSeen(file)).toMatchObject({ seq: last.seq, hash: last.hash })
  })

  test.each<[string, (path: string) => unknown]>([
    ['another file took its name', (path) => renameSync(`${path}.copy`, path)],
    ['it was overwritten', (path) => copyFileSync(`${path}.copy`, path)],
    ['it was deleted', (path) => rmSync(path)],
    [
      'it was moved',
      (path) => moveLedger({ kind: 'sqlite', path }, { kind: 'sqlite', path: `${path}.2` }, { check: () => {} }),
    ],
  ])('is kept of a ledger in which something was paid for before %s', async (_, lose) => {
    const path = join(folder, 'census.ledger')
    const ledger = await createLedger({ kind: 'sqlite', path }, create, new Uint8Array(32))
    await keep(ledger)
    copyFileSync(path, `${path}.copy`)
    copyFileSync(path, join(folder, 'backup.ledger'))
    const paid = (await ledger.append(reserve(count)))!
    const book = await Book.open(ledger)
    await lose(path)
    expect(await keepSeen(file, ledger, book, paid.seq)).toBe(true)
    await ledger.close().catch(() => {})
    const older = await openLedger({ kind: 'sqlite', path: join(folder, 'backup.ledger') })
    const refused = expect.objectContaining({ code: 'ledger-rolled-back' })
    await expect(checkSeen(older, readSeen(file))).rejects.toThrow(refused)
    await older.close()
    expect(readSeen(file)).toMatchObject({ seq: 2, hash: paid.hash, spent: { epsilon: 1e11 } })
  })

  test('keeps few earlier heads, and all prices between them', async () => {
    const ledger = await fresh()
    for (let i = 0; i < 200; i++) {
      await keep(ledger)
      await ledger.append(reserve(count))
    }
    await keep(ledger)
    const { seq, marks } = readSeen(file)!
    expect(seq).toBe(201)
    expect(marks.length).toBeLessThanOrEqual(8)
    expect(marks.at(-1)!.seq).toBe(1)
    const total = marks.reduce((sum, { billed }) => sum + billed.epsilon, 0)
    expect(total).toBe((await Book.open(ledger)).billedAfter(1).epsilon)
    // One is never more than four times as far back as it must be.
    for (let lost = 1; lost < 200; lost++)
      expect(marks.some((mark) => seq - mark.seq >= lost && seq - mark.seq <= Math.max(4, 4 * lost))).toBe(true)
  })

  test('that an older version kept is still seen, until there is a newer one', async () => {
    const ledger = await fresh()
    const [first] = await ledger.read(0)
    writeFileSync(join(folder, 'reticent.head'), `${formatReceipt(first!)}\n`)
    expect(readSeen(file)).toEqual({ seq: 1, hash: first!.hash, marks: [] })
    expect(await keep(await fresh('other'))).toBe(true)
    expect(readdirSync(folder)).toEqual(['reticent.head'])
    await ledger.append(reserve(count))
    await keep(ledger)
    expect(readSeen(file)?.seq).toBe(2)
  })

  test('that cannot be written is no failure', async () => {
    const ledger = await fresh()
    const book = await Book.open(ledger)
    expect(await keepSeen(join(folder, 'no', 'reticent.yaml.head'), ledger, book)).toBe(false)
    mkdirSync(file)
    expect(await keepSeen(file, ledger, book)).toBe(false)
    expect(readdirSync(folder)).toEqual(['reticent.yaml.head'])
  })

  test('that cannot be read is one, and is not replaced', async () => {
    const good = `42:${head.hash}`
    for (const text of [
      '',
      '42:',
      good.slice(1, -1),
      `${good}\nspent 1`,
      `${good}\nspent 1 -2`,
      `${good}\nspent 1 2\nafter 3`,
    ]) {
      writeFileSync(file, text)
      expect(() => readSeen(file)).toThrow(expect.objectContaining({ code: 'ledger-corrupt' }))
      expect(await keep(await fresh())).toBe(false)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })
})
