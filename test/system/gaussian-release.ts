import { type Outcome, Workspace } from './workspace.ts'

/** 6000 people in three attributes of 2, 5 and 8 values. */
export const csv = [
  'sex,state,age',
  ...Array.from({ length: 6000 }, (_, i) => `${i % 2},${(i * i) % 5},${i % 8}`),
].join('\n')
export const policy = (privacy: string, more = '') => `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, epsilon: 1, delta: 1e-9, ${privacy} }
attributes:
  sex: { integer: [0, 1], closed: true }
  state: { integer: [0, 4], closed: true }
  age: { integer: [0, 7], closed: true }
${more}ledger: { sqlite: people.ledger }
`
export const workspace = (privacy = 'neighbours: add-remove', more = '') =>
  new Workspace({ 'people.csv': csv, 'reticent.yaml': policy(privacy, more) }).withLedger()
export const release = (place: Workspace, ...args: string[]): Outcome => place.run('release', 'marginals', ...args)
// (1, 10^-9) is ρ = 0.014973: docs/algorithms/two-currencies.md
export const rho = 0.014973057673
