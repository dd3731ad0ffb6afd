import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sayingWhatWasPaid } from '../../src/dataset/paid.ts'
import { rational } from '../../src/numeric/index.ts'
import { countAll } from '../../src/query/index.ts'
import { createLedger, formatReceipt, moveLedger } from '../../src/trusted/ledger/index.ts'
import { metered } from '../support/metered.ts'

const law = { kind: 'laplace', scale: rational(10) } as const
const wish = { queries: [countAll], seeFree: () => 'ask again with --free' }

/** Buys a count on behalf of a session, and fails after it. */
async function failing(error: unknown, others = 0) {
  const { book, buy } = await metered()
  const reservations: number[] = []
  const session = { book, reservations } as unknown as Parameters<typeof sayingWhatWasPaid>[0]
  const failed = sayingWhatWasPaid(session, wish, async () => {
    for (let i = 0; i < others; i++) await buy(countAll, law)
    reservations.push(book.head.seq + 1)
    await buy(countAll, law)
    throw error
  })
  return { error: await failed.catch((thrown) => thrown), book }
}

test('what fails after a charge says what was paid, and how to see it', async () => {
  const { error, book } = await failing(new RangeError('Maximum call stack size exceeded'), 2)
  expect(error).toMatchObject({
    code: 'failed-after-charge',
    facts: { paid: 0.1, receipt: formatReceipt(book.head) },
    hint: 'ask again with --free',
  })
  expect(error.detail).toContain('ε = 0.1 is spent')
  expect(error.message).not.toContain('Maximum')
})

test('what fails before anything is charged is left as it is', async () => {
  const { book } = await metered()
  const session = { book, reservations: [] } as unknown as Parameters<typeof sayingWhatWasPaid>[0]
  const broken = new RangeError('broken')
  await expect(sayingWhatWasPaid(session, wish, () => Promise.reject(broken))).rejects.toBe(broken)
})

test('what fails because the ledger was moved says what was paid before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-paid-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [old, there] = ['old', 'new'].map((name) => ({ kind: 'sqlite', path: join(folder, name) }) as const)
  const { book, ledger, meter } = await metered({ keep: (row, secret) => createLedger(old!, row, secret) })
  const reservations: number[] = []
  const session = { book, reservations } as unknown as Parameters<typeof sayingWhatWasPaid>[0]
  const failed = sayingWhatWasPaid(session, wish, async () => {
    const purchases = [{ query: countAll, law }]
    const paid = await ledger.append({ kind: 'reserve', analyst: null, statement: null, purchases })
    reservations.push(paid!.seq)
    await moveLedger(old!, there!, { check: () => {} })
    await meter.measure({ charges: purchases, analyst: null, statement: null })
  })
  await expect(failed).rejects.toMatchObject({ code: 'ledger-closed', facts: { paid: 0.1 } })
  await ledger.close()
})
