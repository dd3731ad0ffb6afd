import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginEpoch, createLedgerFor, exportLedger } from '../../src/index.ts'
import { openLedger } from '../../src/trusted/ledger/index.ts'
import { policyText, Workspace } from '../system/workspace.ts'

// The attack: analysts ask while the owner begins an epoch, for which all data are read. The epoch belongs behind the last row; if every new row
// made the owner read the data again, whoever asks often enough could keep a new epoch from ever beginning.

let w: Workspace
beforeEach(async () => {
  w = new Workspace({})
  await createLedgerFor(w.path('reticent.yaml'))
})
afterEach(() => rmSync(w.dir, { recursive: true }))

test('rows that are written while the data are read do not make an owner read them again', async () => {
  w.write('reticent.yaml', policyText.replace('[17, 90]', '[17, 95]'))
  const ledger = await openLedger({ kind: 'sqlite', path: w.path('people.ledger') })
  const { signal } = new AbortController()
  const { addEventListener } = signal
  let readings = 0
  // Listened to whenever the data are read. What is appended is there at once.
  signal.addEventListener = (...listened: Parameters<typeof addEventListener>) => {
    if (++readings < 4) void ledger.append({ kind: 'guards', guards: [] })
    addEventListener.apply(signal, listened)
  }
  await beginEpoch(w.path('reticent.yaml'), signal)
  await ledger.close()
  expect(readings).toBe(1)
  const kinds = (await exportLedger(w.path('reticent.yaml'))).map((row) => JSON.parse(row).row.kind)
  expect(kinds).toEqual(['create', 'guards', 'epoch'])
})
