import { parseRational } from '../../src/numeric/index.ts'
import { rhoCap } from '../../src/trusted/accounting/index.ts'
import { policyText, Workspace } from './workspace.ts'

export const count = 'SELECT COUNT(*) FROM people'
export const delta = 1e-6
/** The largest ρ, as a number, that is (ε, 10^-6)-private. */
export const rhoOf = (epsilon: string) => rhoCap(parseRational(epsilon)!, parseRational('1e-6')!) / 1e12
export const policyWith = (privacy: string, text = policyText) =>
  text.replace('epsilon: 1.0', `epsilon: 1.0\n  ${privacy}`)
export const withDelta = policyWith('delta: 1e-6')
export const workspace = (policy = withDelta) => new Workspace({ 'reticent.yaml': policy }).withLedger()
export const ask = (w: Workspace, epsilon: string, sql = count) => w.run('ask', sql, '--epsilon', epsilon, '--json')
