import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  beginEpoch,
  changeCap,
  checkLedger,
  createLedgerFor,
  exportLedger,
  open,
  restoreLedger,
  verifyLedger,
} from '../../src/index.ts'
import { people, policyText, Workspace } from '../system/workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const refusal = (code: string) => expect.objectContaining({ name: 'ReticentError', code })
const rolledBack = refusal('ledger-rolled-back')

let w: Workspace
let policy: string
beforeEach(async () => {
  w = new Workspace({ 'other.yaml': policyText })
  policy = w.path('reticent.yaml')
  await createLedgerFor(policy)
})
afterEach(() => rmSync(w.dir, { recursive: true }))

const copy = () => copyFileSync(w.path('people.ledger'), w.path('backup'))
const putBack = () => copyFileSync(w.path('backup'), w.path('people.ledger'))
async function ask(options: { epsilon?: number; within?: number }, file = policy) {
  const data = await open(file)
  try {
    return await data.ask(count, options)
  } finally {
    await data.close()
  }
}
const buy = (epsilon: number, file = policy) => ask({ epsilon }, file)

describe('an older copy of a ledger', () => {
  test('is not in order for the program, which says so', async () => {
    copy()
    await buy(0.9)
    putBack()
    const { status, stdout } = w.run('ledger', 'verify')
    expect(status).toBe(1)
    expect(stdout).toMatch(/^NOT in order: .*it does NOT continue the ledger that was last used here/)
    expect(w.run('ledger', 'restore').stdout).toContain('charged to every record for the loss: ε 0.9')
  })

  test('is refused by every command, and the head file stays, however often the owner tries', async () => {
    copy()
    await buy(0.9)
    putBack()
    const head = readFileSync(w.path('reticent.yaml.head'), 'utf8')
    w.write('reticent.yaml', policyText.replace('epsilon: 1.0', 'epsilon: 3'))
    for (let i = 0; i < 5; i++) await expect(changeCap(policy, '3')).rejects.toThrow(rolledBack)
    w.write('people.csv', `${people}\n`)
    for (const command of [beginEpoch, exportLedger, checkLedger, open])
      await expect(command(policy), command.name).rejects.toThrow(rolledBack)
    expect(await verifyLedger(policy)).toMatchObject({ ok: false, sums: 'kept', continuesLastSeen: false })
    expect(readFileSync(w.path('reticent.yaml.head'), 'utf8')).toBe(head)
  })

  test('goes on when the owner says so, charged for what it lacks', async () => {
    await buy(0.25)
    copy()
    await buy(0.5)
    putBack()
    const plan = { rows: 3, charged: 0.5, spent: 0.75, cap: 1 }
    expect(await restoreLedger(policy, { plan: true })).toMatchObject(plan)
    await expect(open(policy)).rejects.toThrow(rolledBack)
    expect(await restoreLedger(policy)).toMatchObject(plan)
    expect(await verifyLedger(policy)).toMatchObject({ ok: true, bound: 0.75, lost: 0.5, continuesLastSeen: true })
    await expect(buy(0.3)).rejects.toThrow(refusal('budget-exceeded'))
    await buy(0.25)
    expect(w.run('budget').stdout).toContain('Of what is spent, ε 0.5 was charged for rows that were lost')
    await expect(restoreLedger(policy)).rejects.toThrow(refusal('usage'))
  })

  test('with the head file of an older version loses the whole cap', async () => {
    copy()
    const { receipt } = await buy(0.01)
    rmSync(w.path('reticent.yaml.head'))
    writeFileSync(w.path('reticent.head'), `${receipt}\n`)
    putBack()
    await expect(buy(0.01)).rejects.toThrow(rolledBack)
    expect(await restoreLedger(policy)).toMatchObject({ charged: 1, spent: 1 })
    await expect(buy(0.001)).rejects.toThrow(refusal('budget-exceeded'))
  })

  test('that was used elsewhere meanwhile is charged for all that was seen here', async () => {
    copy()
    await buy(0.25)
    await buy(0.25)
    putBack()
    // The other policy has no head file, and does not know.
    await buy(0.4, w.path('other.yaml'))
    expect(await restoreLedger(policy)).toMatchObject({ charged: 0.5, spent: 0.9 })
    await expect(buy(0.2)).rejects.toThrow(refusal('budget-exceeded'))
  })

  test('whose restoring was broken off is charged once', async () => {
    copy()
    await buy(0.5)
    putBack()
    const head = readFileSync(w.path('reticent.yaml.head'))
    await restoreLedger(policy)
    w.write('reticent.yaml.head', head)
    expect(await restoreLedger(policy)).toMatchObject({ spent: 0.5 })
    expect(await verifyLedger(policy)).toMatchObject({ ok: true, bound: 0.5 })
  })

  test('refines no answer that the lost rows may have refined', async () => {
    expect(await ask({ within: 100 })).toMatchObject({ kind: 'fresh' })
    copy()
    expect(await ask({ within: 40 })).toMatchObject({ kind: 'refined' })
    putBack()
    await restoreLedger(policy)
    expect(await ask({ within: 40 })).not.toMatchObject({ kind: 'refined' })
  })

  test('that refined elsewhere what the lost rows refined too is charged for two refinements of one answer', async () => {
    const { cost: first } = await ask({ within: 100 })
    copy()
    const { cost: lost } = await ask({ within: 40 })
    putBack()
    const { cost: own, kind } = await ask({ within: 30 }, w.path('other.yaml'))
    expect(kind).toBe('refined')
    // Where the parent speaks for one table and both refinements for its neighbour, the parent's loss is to be made up for
    // in each of them, and is found once.
    const parent = first.epsilon
    const worst = parent + lost.epsilon + own.epsilon + 2 * parent
    const { spent } = await restoreLedger(policy)
    expect(spent).toBeGreaterThanOrEqual(worst - 1e-9)
    expect(await verifyLedger(policy)).toMatchObject({ bound: spent })
  })

  test('whose loss may be more than the cap leaves is not said to be in order', async () => {
    await buy(0.6)
    copy()
    await buy(0.3)
    rmSync(w.path('reticent.yaml.head'))
    const { receipt } = await buy(0.1)
    writeFileSync(w.path('reticent.yaml.head'), `${receipt}\n`)
    putBack()
    await restoreLedger(policy)
    expect(await verifyLedger(policy)).toMatchObject({ ok: false, sums: 'undecided', bound: 1.6, exhibited: 0.6 })
  })
})

test('policies whose names differ in their ending have a head file each', async () => {
  w.write('reticent.yml', policyText.replace('people.ledger', 'other.ledger'))
  await createLedgerFor(w.path('reticent.yml'))
  for (const file of [policy, w.path('reticent.yml'), policy]) await buy(0.1, file)
})
