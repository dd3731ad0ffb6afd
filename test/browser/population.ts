import { Workspace } from '../system/workspace.ts'

/** A table of so many made-up people with every kind of attribute: nothing random in it. */
const table = (rows: number): string =>
  [
    'age,sex,income,state,born,member',
    ...Array.from({ length: rows }, (_, i) => {
      const age = 17 + ((i * i + 7 * i) % 70)
      const state = ['CA', 'CA', 'CA', 'TX', 'TX', 'NY', 'GU'][(i * 5) % 7]
      const born = `${1990 + ((i * 3) % 5)}-${String(1 + ((i * 11) % 12)).padStart(2, '0')}-01`
      return `${age},${i % 3 === 0 ? 'Female' : 'Male'},${(i * 997) % 200_000},${state},${born},${i % 2 === 0}`
    }),
  ].join('\n')

const policy = (epsilon: number, analysts: string): string => `dataset: people
source: { duckdb: people.csv }
privacy:
  unit: row
  neighbours: add-remove
  epsilon: ${epsilon}
${analysts}attributes:
  age:    { integer: [17, 90], closed: true }
  income: { decimal: [0, 200000], step: 1000 }
  sex:    { values: [Female, Male], closed: true }
  state:  { values: [CA, TX, NY], other: true }
  born:   { date: [1990-01-01, 1994-12-31], by: month, format: YYYY-MM-DD }
  member: { boolean: true }
ledger: { sqlite: people.ledger }
`

interface PopulationOptions {
  readonly rows?: number
  readonly epsilon?: number
  readonly analysts?: string
}

/** A folder with the table, its policy and a ledger in which a few questions were asked. */
export function population({ rows = 20_000, epsilon = 2, analysts = '' }: PopulationOptions = {}): Workspace {
  const workspace = new Workspace({ 'people.csv': table(rows), 'reticent.yaml': policy(epsilon, analysts) })
  const run = (...args: string[]) => {
    const { status, stderr } = workspace.run(...args)
    if (status !== 0) throw new Error(stderr)
  }
  const as = analysts === '' ? [] : ['--as', 'alice']
  run('ledger', 'create')
  run('ask', 'SELECT COUNT(*) FROM people WHERE age >= 65', '--within', '60', ...as)
  run('ask', 'SELECT sex, COUNT(*) FROM people GROUP BY 1', '--within', '80', ...as)
  return workspace
}
