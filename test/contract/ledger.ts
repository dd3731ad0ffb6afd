import { afterEach, describe, expect, test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import {
  type Create,
  checkSeen,
  containsReceipt,
  formatReceipt,
  type Ledger,
  type Row,
  type StoredRow,
  verifyRows,
} from '../../src/trusted/ledger/index.ts'
import { bySex, count, create, laplace, reserve } from './ledger-rows.ts'

const secret = Uint8Array.from({ length: 32 }, (_, i) => 255 - i)
const clock = () => new Date('2026-01-02T03:04:05.678Z')
const record = (paidBy: number, ...values: Float64Array[]): Row => ({ kind: 'record', reserve: paidBy, values })

/** What every ledger does. `make` gives a new one each time, with this clock. */
export function ledgerContract(
  name: string,
  make: (create: Create, secret: Uint8Array, clock: () => Date) => Promise<Ledger>,
): void {
  describe(`${name} keeps the contract of a ledger:`, () => {
    const opened: Ledger[] = []
    const fresh = async () => {
      const ledger = await make(create, secret, clock)
      opened.push(ledger)
      return ledger
    }
    afterEach(async () => {
      for (const ledger of opened.splice(0)) await ledger.close()
    })

    test('it begins with its creation', async () => {
      const rows = await (await fresh()).read(0)
      expect(rows).toEqual([
        { seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/), at: clock().toISOString(), row: create },
      ])
    })

    test('it gives back what was appended, from any row on', async () => {
      const ledger = await fresh()
      const rows: Row[] = [
        reserve(count, bySex),
        record(2, Float64Array.of(-1), Float64Array.of(2 ** 40, 0)),
        { kind: 'refine', analyst: 'alice', statement: null, parent: '2.1', law: laplace(1, 3) },
        { kind: 'void', reserve: 4 },
        { kind: 'cap', epsilon: rational(2), delta: rational(0) },
        { kind: 'guards', guards: [{ query: 'q', within: rational(3), confidence: rational(9, 10) }] },
        { kind: 'restore', lost: { seq: 9, hash: 'a'.repeat(64) }, epsilon: rational(1, 3), rho: null },
        { kind: 'epoch', attributes: create.attributes, fingerprint: 'new' },
      ]
      const appended = []
      for (const row of rows) appended.push(await ledger.append(row))
      const all = await ledger.read(0)
      expect(all.map(({ row }) => row)).toEqual([create, ...rows])
      expect(all.slice(1)).toEqual(appended)
      for (let after = 0; after <= all.length + 1; after++) expect(await ledger.read(after)).toEqual(all.slice(after))
      expect(verifyRows(all)).toEqual([])
    })

    test('it takes no record of what was bought in an epoch that has ended', async () => {
      const ledger = await fresh()
      await ledger.append(reserve(count))
      await ledger.append({ kind: 'epoch', attributes: create.attributes, fingerprint: 'new' })
      await expect(ledger.append(record(2, Float64Array.of(1)))).rejects.toThrow(
        expect.objectContaining({ code: 'ledger-refused' }),
      )
      expect((await ledger.read(0)).map(({ row }) => row.kind)).toEqual(['create', 'reserve', 'epoch'])
    })

    test('it keeps integers beyond 2^53', async () => {
      const ledger = await fresh()
      await ledger.append(reserve(bySex))
      const values = [[2n ** 80n, -1n]]
      await ledger.append({ kind: 'record', reserve: 2, values })
      expect((await ledger.read(2))[0]!.row).toEqual({ kind: 'record', reserve: 2, values })
    })

    test('it appends only after the head that was expected', async () => {
      const ledger = await fresh()
      const [first] = await ledger.read(0)
      const second = await ledger.append(reserve(count), first)
      expect(second?.seq).toBe(2)
      expect(await ledger.append(reserve(count), first)).toBeUndefined()
      expect(await ledger.append(reserve(count), { seq: 2, hash: first!.hash })).toBeUndefined()
      expect(await ledger.append(reserve(count), { seq: 3, hash: second!.hash })).toBeUndefined()
      expect(await ledger.read(1)).toEqual([second])
      expect((await ledger.append(reserve(count), second))?.seq).toBe(3)
    })

    test('of many that expect the same head one is let through', async () => {
      const ledger = await fresh()
      const [first] = await ledger.read(0)
      const tries = await Promise.all(Array.from({ length: 20 }, () => ledger.append(reserve(count), first)))
      expect(tries.filter((row) => row !== undefined)).toHaveLength(1)
      expect(await ledger.read(1)).toHaveLength(1)
    })

    test('it lets one after the other look and append, in turn', async () => {
      const ledger = await fresh()
      const turns = Array.from({ length: 8 }, async () => {
        let stored: StoredRow | undefined
        while (!stored)
          stored = await ledger.inTurn(async (append) => append(reserve(count), (await ledger.read(0)).at(-1)))
        return stored.seq
      })
      expect((await Promise.all(turns)).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
      expect(verifyRows(await ledger.read(0))).toEqual([])
      const failing = ledger.inTurn(async () => {
        throw new RangeError('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await ledger.inTurn(async () => 7)).toBe(7)
      expect(await ledger.read(9)).toEqual([])
      expect((await ledger.append(reserve(count)))?.seq).toBe(10)
    })

    test('it refuses rows that do not fit, and writes nothing of them', async () => {
      const ledger = await fresh()
      await ledger.append(reserve(count))
      await ledger.append(record(2, Float64Array.of(5)))
      const before = await ledger.read(0)
      const half = { ...count, query: { ...count.query, terms: [{ coefficient: 1, factors: {}, weight: 2 }] } }
      const unfit: Row[] = [
        create,
        record(2, Float64Array.of(5)),
        record(9, Float64Array.of(5)),
        reserve({ ...count, law: laplace(0) }),
        // Could not be read again: the field has no meaning.
        reserve(half),
        { kind: 'refine', analyst: null, statement: null, parent: '2.0', law: laplace(11) },
      ]
      for (const row of unfit)
        await expect(ledger.append(row)).rejects.toThrow(expect.objectContaining({ code: 'ledger-refused' }))
      await expect(ledger.append(record(2, Float64Array.of(0.5)))).rejects.toThrow(RangeError)
      expect(await ledger.read(0)).toEqual(before)
      expect((await ledger.append(reserve(count)))?.seq).toBe(4)
    })

    test('it allows a measurement one refinement', async () => {
      const ledger = await fresh()
      await ledger.append(reserve(count))
      await ledger.append(record(2, Float64Array.of(5)))
      const refine = { kind: 'refine', analyst: null, statement: null, parent: '2.0', law: laplace(5) } as const
      const tries = await Promise.allSettled(Array.from({ length: 5 }, () => ledger.append(refine)))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await ledger.read(3)).toHaveLength(1)
    })

    test('it shares nothing with its callers', async () => {
      const ledger = await fresh()
      await ledger.append(reserve(count))
      const values = Float64Array.of(5)
      const stored = await ledger.append(record(2, values))
      values[0] = 6
      const [read] = await ledger.read(2)
      expect(read).toEqual(stored)
      expect(read!.row).toEqual(record(2, Float64Array.of(5)))
      const key = await ledger.secret()
      key[0] = 0
      expect(await ledger.secret()).toEqual(secret)
    })

    test('it contains its own receipts and no others', async () => {
      const ledger = await fresh()
      const other = await make({ ...create, dataset: 'other' }, secret, clock)
      opened.push(other)
      for (let i = 0; i < 3; i++) for (const each of [ledger, other]) await each.append(reserve(count))
      for (const row of await ledger.read(0)) {
        expect(await containsReceipt(ledger, formatReceipt(row))).toBe(true)
        expect(await containsReceipt(other, formatReceipt(row))).toBe(false)
        const shown = `${row.seq}:${row.hash.slice(0, 16)}`
        expect(await containsReceipt(ledger, shown)).toBe(true)
        expect(await containsReceipt(other, shown)).toBe(false)
        expect(await containsReceipt(ledger, `${row.seq + 1}:${row.hash.slice(0, 16)}`)).toBe(false)
        await expect(containsReceipt(ledger, shown.slice(0, -1))).rejects.toThrow('not a receipt')
        await checkSeen(ledger, row)
        const refusal = checkSeen(other, row)
        await expect(refusal).rejects.toThrow(expect.objectContaining({ code: 'ledger-rolled-back' }))
      }
      const future = { seq: 99, hash: 'a'.repeat(64) }
      expect(await containsReceipt(ledger, formatReceipt(future))).toBe(false)
      await expect(checkSeen(ledger, future)).rejects.toThrow(expect.objectContaining({ code: 'ledger-rolled-back' }))
      await checkSeen(ledger, undefined)
      await expect(containsReceipt(ledger, 'abc')).rejects.toThrow(expect.objectContaining({ code: 'usage' }))
    })

    test('it keeps notes outside the chain', async () => {
      const ledger = await fresh()
      const before = await ledger.read(0)
      expect(await ledger.note('quick')).toBeUndefined()
      await ledger.setNote('quick', 'a')
      await ledger.setNote('quick', 'b')
      await ledger.setNote('other', '')
      expect(await ledger.note('quick')).toBe('b')
      expect(await ledger.note('other')).toBe('')
      expect(await ledger.read(0)).toEqual(before)
    })

    test('it says which heads are its own, while nobody appends', async () => {
      const ledger = await fresh()
      const head = (await ledger.append(reserve(count)))!
      const others = [
        { ...head, seq: 1 },
        { ...head, seq: 3 },
        { ...head, hash: 'a'.repeat(64) },
      ]
      expect(await ledger.alone((has) => [head, ...others].map(has))).toEqual([true, false, false, false])
    })

    test('it refines, records and closes nothing from before a restored copy went on', async () => {
      const ledger = await fresh()
      await ledger.append(reserve(count))
      await ledger.append(record(2, Float64Array.of(5)))
      await ledger.append(reserve(count))
      await ledger.append({ kind: 'restore', lost: { seq: 9, hash: 'a'.repeat(64) }, epsilon: null, rho: rational(0) })
      const late: Row[] = [
        record(4, Float64Array.of(5)),
        { kind: 'void', reserve: 4 },
        { kind: 'refine', analyst: null, statement: null, parent: '2.0', law: laplace(5) },
        { kind: 'restore', lost: { seq: 9, hash: 'a'.repeat(64) }, epsilon: rational(-1), rho: null },
      ]
      for (const row of late)
        await expect(ledger.append(row)).rejects.toThrow(expect.objectContaining({ code: 'ledger-refused' }))
    })

    test('it keeps its key', async () => {
      expect(await (await fresh()).secret()).toEqual(secret)
    })
  })
}
