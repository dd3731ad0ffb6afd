import { copyFileSync, rmSync, truncateSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { people, policyText, Workspace } from './workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const ask = (w: Workspace, ...more: string[]) => w.run('ask', count, '--epsilon', '0.1', '--json', ...more)
const spent = (w: Workspace) => w.run('budget', '--json').json.spent.epsilon

describe('whoever asks hears', () => {
  let w: Workspace
  beforeEach(() => {
    w = new Workspace().withLedger()
  })

  test('that the source has changed, until the owner begins an epoch', () => {
    ask(w)
    w.write('people.csv', `${people}\nperson 301,30,Male,1,CA,01.01.1990,true`)
    expect(ask(w).json.error).toMatchObject({ code: 'source-changed', hint: expect.stringContaining('ledger epoch') })
    expect(spent(w)).toBe(0.1)
    expect(w.run('ledger', 'epoch').status).toBe(0)
    expect(ask(w).json.spent.epsilon).toBe(0.2) // the epochs add up
    expect(w.run('ledger', 'epoch').status).toBe(2) // nothing has changed since
  })

  test('that a source touched but not changed is the same', () => {
    ask(w)
    w.write('people.csv', people)
    expect(ask(w).status).toBe(0)
  })

  test('that the attributes have changed, until the owner begins an epoch', () => {
    w.write('reticent.yaml', policyText.replace('[17, 90]', '[0, 90]'))
    expect(ask(w).json.error).toMatchObject({ code: 'policy-changed', key: 'attributes' })
    expect(w.run('ledger', 'epoch').status).toBe(0)
    expect(ask(w).status).toBe(0)
  })

  test('that the cap in the policy is not the ledger’s, until the owner makes it so', () => {
    w.write('reticent.yaml', policyText.replace('epsilon: 1.0', 'epsilon: 2.0'))
    expect(ask(w).json.error).toMatchObject({ code: 'policy-changed', hint: expect.stringContaining('ledger cap') })
    expect(w.run('ledger', 'cap', '3').status).toBe(2)
    expect(w.run('ledger', 'cap', '2.0').status).toBe(0)
    expect(ask(w).json.left.epsilon).toBe(1.9)
  })

  test('that the ledger was restored from a backup', () => {
    ask(w)
    copyFileSync(w.path('people.ledger'), w.path('backup'))
    ask(w)
    copyFileSync(w.path('backup'), w.path('people.ledger'))
    expect(ask(w).json.error.code).toBe('ledger-rolled-back')
  })

  test('whether a ledger continues the one that gave a receipt', () => {
    const { receipt } = ask(w).json
    ask(w)
    const mine = w.run('ledger', 'verify', '--receipt', receipt, '--json')
    expect(mine.json).toMatchObject({ ok: true, continues: true })
    const other = new Workspace().withLedger()
    ask(other)
    const foreign = other.run('ledger', 'verify', '--receipt', receipt, '--json')
    expect(foreign.json).toMatchObject({ ok: false, continues: false })
    expect(foreign.status).toBe(1)
  })

  test('that the ledger was cut short', () => {
    ask(w)
    truncateSync(w.path('people.ledger'), 3000)
    expect(ask(w).json.error.code).toBe('ledger-corrupt')
  })
})

test('the owner hears of a ledger that is gone, whose budget a new one would start over', () => {
  const w = new Workspace().withLedger()
  rmSync(w.path('people.ledger'))
  expect(w.run('ledger', 'create', '--json').json.error.code).toBe('ledger-rolled-back')
  rmSync(w.path('reticent.yaml.head'))
  expect(w.run('ledger', 'create').status).toBe(0)
})

test.each([
  ['of a typo in the policy', { 'reticent.yaml': policyText.replace('neighbours', 'neighbors') }, 'policy-invalid'],
  ['of a missing source', { 'reticent.yaml': policyText.replace('people.csv', 'nobody.csv') }, 'source-missing'],
  ['of an empty file', { 'people.csv': '' }, 'source-unreadable'],
  ['of a wrong column', { 'reticent.yaml': policyText.replace('age: ', 'years: ') }, 'source-unreadable'],
])('the owner hears %s from ledger create, too', (_, files, code) => {
  const { status, stdout } = new Workspace(files).run('ledger', 'create', '--json')
  expect(status).toBe(1)
  expect(stdout).toContain(code)
})
