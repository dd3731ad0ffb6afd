import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { people, policyText, Workspace } from './workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const ask = (w: Workspace, ...more: string[]) => w.run('ask', count, '--epsilon', '0.1', '--json', ...more)
const spent = async (w: Workspace) => (await w.here('budget', '--json')).json.spent.epsilon

describe('whoever asks hears', () => {
  const wrong: [string, string[], number, string, string][] = [
    ['of SQL out of the subset', ['SELECT * FROM people', '--epsilon', '0.1'], 1, 'sql-unsupported', 'supported'],
    ['of a syntax error', ['SELEC COUNT(*) FROM people', '--epsilon', '0.1'], 1, 'sql-syntax', 'syntax'],
    [
      'of a mistyped attribute',
      ['SELECT COUNT(*) FROM people WHERE agee > 3', '--epsilon', '0.1'],
      1,
      'unknown-name',
      'age',
    ],
    ['of another table', ['SELECT COUNT(*) FROM persons', '--epsilon', '0.1'], 1, 'unknown-name', 'people'],
    ['of ε = 0', [count, '--epsilon', '0'], 2, 'usage', 'above 0'],
    ['of a negative ε', [count, '--epsilon', '-1'], 2, 'usage', 'above 0'],
    ['of an ε that is no number', [count, '--epsilon', 'lots'], 2, 'usage', 'number'],
    ['of a missing ε', [count], 2, 'usage', '--epsilon'],
    ['of an unknown flag', [count, '--epsilom', '0.1'], 2, 'usage', '--epsilon'],
    ['of a wrong confidence', [count, '--epsilon', '0.1', '--confidence', '95'], 2, 'usage', 'between 0 and 1'],
    ['of a question over the budget', [count, '--epsilon', '1.01'], 1, 'budget-exceeded', 'left'],
  ]
  describe('and nothing is spent', () => {
    let shared: Workspace
    beforeAll(() => {
      shared = new Workspace().withLedger()
    })
    test.each(wrong)('%s', async (_, args, status, code, word) => {
      const said = await shared.here('ask', ...args, '--json')
      expect(said.json.error.code).toBe(code)
      expect(said.stdout).toContain(word)
      expect(said.status).toBe(status)
    })
    test('for people it is a message alone', () => {
      const [, args, , , word] = wrong[2]!
      const plain = shared.run('ask', ...args)
      expect(plain.stdout).toBe('')
      expect(plain.stderr).toContain(word)
    })
    test('by any of them', async () => expect(await spent(shared)).toBe(0))
  })

  test('that the promise cannot change', () => {
    const w = new Workspace().withLedger()
    w.write('reticent.yaml', policyText.replace('add-remove', 'replace-one'))
    expect(ask(w).json.error).toMatchObject({ code: 'policy-changed', key: 'privacy.neighbours' })
  })

  test('that there is no ledger', () => {
    const fresh = new Workspace()
    expect(ask(fresh).json.error).toMatchObject({
      code: 'ledger-missing',
      hint: expect.stringContaining('ledger create'),
    })
  })

  test('that the ledger was damaged', () => {
    const w = new Workspace().withLedger()
    ask(w)
    const bytes = readFileSync(w.path('people.ledger'))
    const at = bytes.indexOf('"purchases"')
    bytes[at + 3] = 'x'.charCodeAt(0)
    rmSync(w.path('people.ledger-wal'), { force: true })
    writeFileSync(w.path('people.ledger'), bytes)
    expect(at).toBeGreaterThan(0)
    expect(ask(w).json.error.code).toBe('ledger-corrupt')
    expect(w.run('ledger', 'verify').status).toBe(1)
  })

  test('nothing of what others ask at the same time: the budget holds', async () => {
    const w = new Workspace().withLedger()
    const all = await Promise.all(Array.from({ length: 8 }, () => w.start('ask', count, '--epsilon', '0.3', '--json')))
    expect(all.filter((o) => o.status === 0)).toHaveLength(3)
    for (const o of all.filter((o) => o.status !== 0)) expect(o.json.error.code).toBe('budget-exceeded')
    expect(await spent(w)).toBe(0.9)
    expect(w.run('ledger', 'verify').status).toBe(0)
  })
})

describe('the owner hears', () => {
  const owner: [string, Record<string, string>, string, string][] = [
    [
      'of a typo in the policy',
      { 'reticent.yaml': policyText.replace('neighbours', 'neighbors') },
      'policy-invalid',
      'neighbours',
    ],
    [
      'of a missing source',
      { 'reticent.yaml': policyText.replace('people.csv', 'nobody.csv') },
      'source-missing',
      'nobody.csv',
    ],
    ['of an empty file', { 'people.csv': '' }, 'source-unreadable', 'empty'],
    ['of a wrong column', { 'reticent.yaml': policyText.replace('age: ', 'years: ') }, 'source-unreadable', 'years'],
    [
      'of review marks left',
      { 'reticent.yaml': policyText.replace('closed: true }', 'closed: true }   # review') },
      'review-needed',
      'review',
    ],
  ]
  for (const [what, files, code, word] of owner)
    test(what, async () => {
      const { status, stdout } = await new Workspace(files).here('check', '--json')
      expect(status).toBe(1)
      expect(stdout).toContain(word)
      expect(stdout).toContain(code)
    })

  test('of review marks left, from ledger create', () => {
    const marked = policyText.replace('closed: true }', 'closed: true }   # review')
    const { status, stdout } = new Workspace({ 'reticent.yaml': marked }).run('ledger', 'create', '--json')
    expect(status).toBe(1)
    expect(stdout).toContain('review-needed')
  })

  test('of a missing policy', () => {
    const w = new Workspace()
    rmSync(w.path('reticent.yaml'))
    expect(w.run('check', '--json').json.error).toMatchObject({
      code: 'policy-missing',
      hint: expect.stringContaining('init'),
    })
  })

  test('of a ledger that is there already', () => {
    expect(new Workspace().withLedger().run('ledger', 'create', '--json').json.error.code).toBe('ledger-exists')
  })

  test('of another encoding, which is never misread in silence', () => {
    const w = new Workspace({ 'people.csv': people })
    w.write('people.csv', Buffer.from(people.replace('person 7,', 'J\u00fcrgen,'), 'latin1'))
    const { status, stdout } = w.run('ledger', 'create', '--json')
    expect(status).toBe(1)
    expect(stdout).toContain('UTF-8')
  })
})
