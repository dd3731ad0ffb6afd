import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLedger, moveLedger, openLedger } from '../../src/trusted/ledger/index.ts'
import { count, create, reserve } from '../contract/ledger-rows.ts'

// The attack: a move is killed in the moment in which the new ledger has its name and still that of its draft. Nobody may use a ledger with two
// names; but the same move, run again, must find it and finish, or the budget is lost.

const folder = mkdtempSync(join(tmpdir(), 'reticent-killed-move-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => ({ kind: 'sqlite', path: join(folder, name) }) as const

test('a new ledger that still has the name of its draft is found by the same move', async () => {
  const [old, there] = [file('old.ledger'), file('new.ledger')]
  await (await createLedger(old, create, new Uint8Array(32))).close()
  const move = () => moveLedger(old, there, { check: () => {} })
  await move()
  const workshop = `${there.path}.new-Ab12Cd`
  mkdirSync(workshop)
  linkSync(there.path, join(workshop, 'draft'))
  await expect(openLedger(there)).rejects.toMatchObject({ code: 'ledger-two-names' })
  expect(await move()).toMatchObject({ already: true })
  expect(existsSync(workshop)).toBe(false)
  const ledger = await openLedger(there)
  expect(await ledger.append(reserve(count))).toMatchObject({ seq: 2 })
  await ledger.close()
  // What a move that was killed earlier left there has the key, too.
  mkdirSync(workshop)
  writeFileSync(join(workshop, 'draft'), 'half a ledger')
  const own = `${there.path}.new-copies`
  mkdirSync(own)
  writeFileSync(join(own, 'copy.ledger'), 'mine')
  expect(await move()).toMatchObject({ already: true })
  expect([existsSync(workshop), existsSync(own)]).toEqual([false, true])
  // Any other name is somebody else's, and stays.
  linkSync(there.path, join(folder, 'copy.ledger'))
  await expect(move()).rejects.toMatchObject({ code: 'ledger-two-names' })
  expect(existsSync(join(folder, 'copy.ledger'))).toBe(true)
})

test('the draft of a move that was killed before it closed the old ledger goes when the move is run again', async () => {
  const [old, there] = [file('begun.ledger'), file('ended.ledger')]
  await (await createLedger(old, create, new Uint8Array(32))).close()
  const workshop = `${there.path}.new-Ab12Cd`
  mkdirSync(workshop)
  writeFileSync(join(workshop, 'draft'), 'half a ledger')
  writeFileSync(join(workshop, 'draft-journal'), '')
  expect(await moveLedger(old, there, { check: () => {} })).toMatchObject({ already: false })
  expect(existsSync(workshop)).toBe(false)
})

test('a move that finds something else in its place after it closed the old ledger says how to finish', async () => {
  const [old, there, other] = [file('closed.ledger'), file('taken.ledger'), file('other.ledger')]
  await (await createLedger(old, create, new Uint8Array(32))).close()
  await (await createLedger(other, { ...create, dataset: 'other' }, new Uint8Array(32))).close()
  // Looked at for the closing row.
  const clock = () => {
    copyFileSync(other.path, there.path)
    return new Date()
  }
  const inTheWay = { code: 'ledger-exists', message: expect.stringContaining('closed already') }
  await expect(moveLedger(old, there, { check: () => {}, clock })).rejects.toMatchObject(inTheWay)
  await expect(openLedger(old).then((ledger) => ledger.read(0))).rejects.toMatchObject({ code: 'ledger-closed' })
  await expect(moveLedger(old, there, { check: () => {} })).rejects.toMatchObject(inTheWay)
  rmSync(there.path)
  expect(await moveLedger(old, there, { check: () => {} })).toMatchObject({ already: false })
})
