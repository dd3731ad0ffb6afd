import { arrows } from './table.ts'

/** What each folder of the architecture is, for its row in CONTRIBUTING.md. */
const about: Record<string, string> = {
  numeric: 'rationals, special functions, the noise laws as formulas',
  schema: 'attributes, the universe of cells, the policy file, errors',
  query: 'linear queries as data, the SQL front end',
  'trusted/hash': 'digests, plain and keyed ([why](docs/decisions/0001-hash-room.md))',
  'trusted/exact': '`Exact<T>`: an exact answer that does not print, serialise or compare',
  'trusted/postgres': 'connections to PostgreSQL: address, password, TLS, what its failures mean',
  'trusted/random': "the operating system's randomness and exact samplers",
  'trusted/accounting': 'how much each purchase costs each record; pure functions',
  'trusted/ledger': 'append-only, hash-chained rows',
  'trusted/engine': 'exact answers from a database',
  'trusted/mechanism': 'noise',
  'trusted/meter': 'reserve, query, add noise, record: the only way to the data',
  model: 'models of a table: a distribution over its cells, fitted to noisy answers',
  inference: 'noisy answers in, estimates out',
  release: 'methods that choose step by step what to ask the meter',
  publish: 'released tables as files, with a report',
  answer: 'from a statement to an answer: pricing, buying, composing the result',
  dataset: 'the opened table: policy, engine, ledger, meter and inference wired together',
  '.': '`index.ts`: the names of the library',
  evaluation: 'seeded generators, the synthetic census, experiments, audits: nothing here is private',
  'server/api': 'requests and responses: schemas, and types derived from them',
  server: 'HTTP: access, questions, jobs; no arithmetic',
  client: "the server's routes as typed calls, for browsers and Node",
  cli: 'turns arguments into calls, and results into text',
}

/** The table of folders in CONTRIBUTING.md: made from the arrows, so that it is what is checked. */
export function foldersTable(): string {
  const nameOf = (folder: string) => (folder === '.' ? 'the library' : folder)
  const rows = Object.entries(arrows).map(([folder, to]) => {
    const path = folder === '.' ? 'src' : `src/${folder}`
    return `| \`${path}\` | ${about[folder]} | ${to.map(nameOf).join(', ') || 'nothing'} |`
  })
  return ['| folder | what it is | may import |', '| --- | --- | --- |', ...rows].join('\n')
}
