import { expect, test } from 'vitest'
import { policyText, Workspace } from '../system/workspace.ts'

const clear = '\x1b[2J'
const c1 = '\x9b31m'
const reversed = '\u202egnp'

/** Nothing but line ends and tabs may be obeyed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

const hostile = `${clear}${c1}${reversed}`
const workspace = new Workspace({
  'reticent.yaml': policyText
    .replace('values: [CA, TX, NY]', `values: [CA, TX, "\\e[2J\\x9b31m\\u202Egnp"]`)
    .replace('epsilon: 1.0', 'epsilon: 1.0\n  analysts: { "eve\\e[2J\\x9b": 1 }'),
}).withLedger()
const eve = `eve${clear}\x9b`

test.each([
  ['a statement', ['ask', `SELECT COUNT(*) FROM people -- ${hostile}`, '--epsilon', '0.1', '--as', eve]],
  ['values in a table', ['ask', 'SELECT state, COUNT(*) FROM people GROUP BY 1', '--epsilon', '0.1', '--as', eve]],
  ['the history', ['history']],
  ['what the history says now', ['history', '--improve']],
  ['budgets of analysts', ['budget']],
  ['the owner’s check', ['check']],
  ['the rows of the ledger', ['ledger', 'export']],
  ['a syntax error', ['ask', `SELECT ${hostile} FROM people`, '--epsilon', '0.1', '--as', eve]],
  ['an unknown name', ['ask', `SELECT "${hostile}" FROM people`, '--epsilon', '0.1', '--as', eve]],
  ['an unlisted value', ['ask', `SELECT COUNT(*) FROM people WHERE state = '${hostile}'`, '--free', '--as', eve]],
  ['an unknown analyst', ['ask', 'SELECT COUNT(*) FROM people', '--free', '--as', hostile]],
  ['a missing file', ['budget', '--policy', hostile]],
  ['an unknown command', [hostile]],
  ['an unknown option', ['budget', `--${hostile}`]],
  ['a number', ['ask', 'SELECT COUNT(*) FROM people', '--within', hostile]],
  ['a method', ['release', 'marginals', '--ways', '1', '--epsilon', '1', '--method', hostile]],
])('%s cannot write to the terminal of whoever reads it', async (_, args) => {
  for (const { stdout, stderr } of await Promise.all([workspace.start(...args), workspace.start(...args, '--json')])) {
    expect((stdout + stderr).length).toBeGreaterThan(0)
    expect(stdout + stderr).not.toMatch(obeyed)
    expect(stdout + stderr).not.toContain('inside Reticent itself')
  }
})
