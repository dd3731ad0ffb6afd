// Exact answers through Trino, beside Trino itself: 2 million rows like those of the synthetic census, as an Iceberg table.
import { censusUniverse } from '../src/evaluation/index.ts'
import { marginal } from '../src/query/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { open } from '../src/trusted/exact/open.ts'
import { beginRun } from '../test/support/servers/run.ts'
import { countedTrino } from './counted-trino.ts'
import { check, median, report } from './harness.ts'

/** Fewer for a quick look: `node bench/trino.bench.ts 200000 2`. */
const rows = Number(process.argv[2] ?? 2_000_000) || 2_000_000
const rounds = Number(process.argv[3] ?? 3) || 3
const perBatch = 10_000

const { attributes } = censusUniverse
const pairs = attributes.flatMap((a, i) => attributes.slice(0, i).map((b) => [b.name, a.name] as const))
const marginals = pairs.map((pair) => marginal(pair))
/** Columns that look like chance, from the number of a row; small codes are more frequent than large ones, as in a census. */
const columns = attributes.map((a, i) => {
  const prime = [7919, 104729, 1299709, 15485863, 32452843, 49979687, 67867967, 86028121, 104395301][i]
  const code = `CAST(floor(pow((r * ${prime} % 1000003) / 1000003e0, 1.5) * ${a.size}) AS INTEGER)`
  if (a.kind !== 'values') return `${code} AS ${a.name}`
  return `element_at(ARRAY[${a.values.map((value) => `'${value}'`).join(', ')}], ${code} + 1) AS ${a.name}`
})

const run = beginRun()
const { cluster, url, received, spentBy, close } = await countedTrino()
await cluster.run('CREATE SCHEMA lake.bench')
await cluster.run(`CREATE TABLE lake.bench.census AS SELECT ${columns.join(', ')}
  FROM (SELECT a * ${perBatch} + b AS r FROM UNNEST(sequence(0, ${Math.ceil(rows / perBatch) - 1})) AS x (a)
  CROSS JOIN UNNEST(sequence(0, ${perBatch - 1})) AS y (b))`)

const engine = await openEngine({
  source: { kind: 'trino', url, catalog: 'lake', schema: 'bench', table: 'census' },
  universe: censusUniverse,
  unit: { kind: 'row' },
  key: new Uint8Array(32),
})
const snapshot = await engine.snapshot()
const before = received()
const answers = (await snapshot.answer(marginals)).map((answer) => open(answer) as Float64Array)
const bytes = received() - before
check(
  answers.every((a) => a.reduce((n, c) => n + c, 0) === rows),
  'a marginal does not count every record',
)
const cells = answers.reduce((n, a) => n + a.filter((c) => c !== 0).length, 0)

const work = {
  bench: () => snapshot.answer(marginals),
  tests: async () => {
    for (const [a, b] of pairs)
      await cluster.run(`SELECT ${a}, ${b}, count(*) FROM lake.bench.census GROUP BY ${a}, ${b}`)
  },
}
const elapsed = { bench: [] as number[], tests: [] as number[] }
const spent = { bench: [] as number[], tests: [] as number[] }
for (let round = 0; round < rounds; round++)
  for (const user of round % 2 === 0 ? (['bench', 'tests'] as const) : (['tests', 'bench'] as const)) {
    const [cpu, start] = [await spentBy(user), performance.now()]
    await work[user]()
    elapsed[user].push(performance.now() - start)
    spent[user].push((await spentBy(user)) - cpu)
  }
await engine.close()
close()
await run.end()
await report('Trino: exact answers from a coordinator and a worker', [
  { what: `all 36 two-way marginals of ${rows.toLocaleString('en')} rows`, value: median(elapsed.bench), unit: 'ms' },
  { what: '… by 36 GROUP BYs of Trino', value: median(elapsed.tests), unit: 'ms' },
  { what: '… ratio', value: median(elapsed.bench) / median(elapsed.tests), unit: '×', atMost: 1.3 },
  { what: '… ratio of processor time', value: median(spent.bench) / median(spent.tests), unit: '×' },
  { what: 'bytes from the server', value: bytes, unit: 'B' },
  { what: '… for each of the cells that are not empty', value: bytes / cells, unit: 'B', atMost: 40 },
])
process.exit(0)
