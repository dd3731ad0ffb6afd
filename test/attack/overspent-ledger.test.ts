import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLedgerFor, verifyLedger } from '../../src/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { countAll, type LinearQuery } from '../../src/query/index.ts'
import { type Create, openLedger, type Row } from '../../src/trusted/ledger/index.ts'
import { Workspace } from '../system/workspace.ts'

let w: Workspace
beforeEach(async () => {
  w = new Workspace()
  await createLedgerFor(w.path('reticent.yaml'))
})
afterEach(() => rmSync(w.dir, { recursive: true }))

/** Appends rows as a program would that keeps no cap (it is 1), and lets the owner verify. */
async function verdictAfter(...rows: ((create: Create) => Row)[]) {
  const ledger = await openLedger({ kind: 'sqlite', path: w.path('people.ledger') })
  const [first] = await ledger.read(0)
  for (const row of rows) await ledger.append(row(first!.row as Create))
  await ledger.close()
  return verifyLedger(w.path('reticent.yaml'))
}
const bought =
  (epsilon: number, query: LinearQuery = countAll) =>
  (): Row => ({
    kind: 'reserve',
    analyst: null,
    statement: null,
    purchases: [{ query, law: { kind: 'laplace', scale: rational(100, Math.round(100 * epsilon)) } }],
  })
const epoch = ({ attributes }: Create): Row => ({ kind: 'epoch', attributes, fingerprint: 'another' })
const run = (epsilon: number) => (): Row => ({
  kind: 'run-open',
  analyst: null,
  statement: null,
  epsilon: rational(Math.round(100 * epsilon), 100),
  queries: [countAll],
  grid: null,
})

test('a ledger within its cap is in order', async () => {
  expect(await verdictAfter(bought(0.4), epoch, bought(0.2), run(0.4))).toMatchObject({
    ok: true,
    sums: 'kept',
    bound: 1,
    exhibited: 1,
  })
})

test('overspending in a closed epoch is found', async () => {
  expect(await verdictAfter(bought(2), epoch)).toMatchObject({ ok: false, sums: 'overspent', exhibited: 2 })
})

test('overspending that only several epochs come to is found', async () => {
  const verdict = await verdictAfter(bought(0.6), epoch, bought(0.6), epoch)
  expect(verdict).toMatchObject({ ok: false, sums: 'overspent', exhibited: 1.2 })
})

test('overspending in what a run holds is found, also across epochs', async () => {
  expect(await verdictAfter(run(2))).toMatchObject({ ok: false, sums: 'overspent', exhibited: 2 })
  expect(await verdictAfter(epoch)).toMatchObject({ ok: false, sums: 'overspent', exhibited: 2 })
  const { status, stdout } = w.run('ledger', 'verify')
  expect(status).toBe(1)
  expect(stdout).toContain(
    'NOT in order: 3 rows, the hash chain is intact; a record was charged ε 2, above the cap of 1',
  )
})
