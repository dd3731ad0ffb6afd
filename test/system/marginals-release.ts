import { readFileSync } from 'node:fs'
import { type Outcome, Workspace } from './workspace.ts'

export const sexes = ['Female', 'Male']
export const states = ['CA', 'TX', 'NY', '=A1, <b>']
/** Who lives where, and how old: invented, with something to tell in every pair. */
export const rows = Array.from({ length: 6000 }, (_, i) => {
  const [sex, state] = [sexes[i % 3 === 0 ? 0 : 1]!, states[Math.floor(Math.sqrt(i % 16))]!]
  return { sex, state, age: 10 + ((i * 7) % (state === 'CA' ? 5 : 8)) }
})
export const csv = ['sex,state,age', ...rows.map(({ sex, state, age }) => `${sex},"${state}",${age}`)].join('\n')
export const policy = (neighbours: string, more = '') => `dataset: people
source: { duckdb: people.csv }
privacy: { unit: row, neighbours: ${neighbours}, epsilon: 5${more} }
attributes:
  sex:   { values: [Female, Male], closed: true }
  state: { values: [CA, TX, NY, "=A1, <b>"] }
  age:   { integer: [10, 17], closed: true }
ledger: { sqlite: people.ledger }
`
export const workspace = (neighbours = 'add-remove', more = '') =>
  new Workspace({ 'people.csv': csv, 'reticent.yaml': policy(neighbours, more) }).withLedger()
/** The numbers of a table that was written, by label. */
export function table(place: Workspace, name: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(place.path(name), 'utf8').trimEnd().split('\n')
  const fields = (line: string) =>
    Array.from(`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, inside, plain]) => inside ?? plain!)
  const names = fields(header!)
  return lines.map((line) => Object.fromEntries(fields(line).map((value, i) => [names[i]!, value])))
}
export const sum = (list: readonly Record<string, string>[], column: string) =>
  list.reduce((total, row) => total + Number(row[column]), 0)
export const release = (place: Workspace, ...args: string[]): Outcome => place.run('release', 'marginals', ...args)
/** What the parts of a release cost together. */
export const priced = (records: { epsilon?: number }, tables: readonly { epsilon: number }[]): number =>
  tables.reduce((total, { epsilon }) => total + epsilon, records.epsilon ?? 0)
export const spent = async (place: Workspace): Promise<number> =>
  (await place.here('budget', '--json')).json.spent.epsilon
