// What a question costs as tables grow: DuckDB over Parquet, PostgreSQL and Trino over Iceberg, in processor time of the database,
// and bytes over the network. docs/scale.md has the figures. `ROWS=8 npm run bench scale` goes up to 10^8 rows; without it, to 10^7.
// `ENGINES=postgres,trino` leaves out the others.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { countAll, type LinearQuery, marginal } from '../src/query/index.ts'
import { attribute, type Source, universe } from '../src/schema/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { beginRun } from '../test/support/servers/run.ts'
import { countBytes, processorSeconds } from './counted-postgres.ts'
import { countedTrino } from './counted-trino.ts'

const sizes = [74, 2, 5, 16, 42, 100]
const most = Number(process.env.ROWS ?? 7)
const powers = Array.from({ length: most - 5 }, (_, i) => i + 6)
const engines = (process.env.ENGINES ?? 'duckdb,postgres,trino').split(',')
const u = universe(
  sizes.map((n, i) => attribute({ kind: 'integer', name: `c${i}`, low: 0, high: n - 1, closed: true })),
)
const pairs = sizes.flatMap((_, i) => sizes.slice(0, i).map((_, j) => marginal([`c${j}`, `c${i}`])))
const count: LinearQuery = {
  ...countAll,
  terms: [{ coefficient: 1, factors: { c0: { kind: 'interval', from: 30, to: 50 } } }],
}
/** Columns that look like chance, from the number of a row. */
const columns = (row: string) =>
  sizes.map(
    (n, i) =>
      `CAST((${row} * ${[7919, 104729, 1299709, 15485863, 32452843, 49979687][i]}) % 1000003 % ${n} AS SMALLINT) AS c${i}`,
  )

const run = beginRun()
const folder = mkdtempSync(join(tmpdir(), 'reticent-scale-'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (ms: number) => (ms / 1000).toFixed(ms < 10_000 ? 2 : 0)

async function measure(what: string, rows: number, source: Source, spent: () => Promise<number>, bytes: () => number) {
  const engine = await openEngine({ source, universe: u, unit: { kind: 'row' }, key: new Uint8Array(32) })
  const snapshot = await engine.snapshot()
  for (const [name, work] of [
    ['one count', () => snapshot.answer([count])],
    ['15 two-way marginals', () => snapshot.answer(pairs)],
    ['full check', () => snapshot.full()],
  ] as const) {
    const [cpu, moved, start] = [await spent(), bytes(), Date.now()]
    const failed = await work().then(
      () => '',
      (error) => ` | failed: ${error.message}`,
    )
    const elapsed = Date.now() - start
    const figures = [seconds((await spent()) - cpu), seconds(elapsed), bytes() - moved, loadavg()[0]!.toFixed(0)]
    say([what, rows.toExponential(0), name, ...figures].join(' | ') + failed)
  }
  await engine.close()
}

say('engine | rows | work | processor seconds | elapsed seconds | bytes received | load')

async function overDuckdb(): Promise<void> {
  for (const power of powers) {
    const path = join(folder, `t${power}.parquet`)
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(
      `COPY (SELECT ${columns('r').join(', ')} FROM range(${10 ** power}) t(r)) TO '${path}' (FORMAT parquet)`,
    )
    connection.closeSync()
    instance.closeSync()
    const own = async () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage())
    await measure('DuckDB over Parquet', 10 ** power, { kind: 'duckdb', path }, own, () => 0)
    rmSync(path)
  }
}

async function overPostgres(): Promise<void> {
  const received = countBytes()
  const database = await startPostgres()
  for (const power of powers) {
    await database.run(
      `CREATE UNLOGGED TABLE t${power} AS SELECT ${columns('r').join(', ')} FROM generate_series(0, ${10 ** power - 1}::bigint) r`,
    )
    await database.run(`VACUUM ANALYZE t${power}`)
    const source = { kind: 'postgres', url: database.url, table: `t${power}`, timeout: 3600 } as const
    await measure('PostgreSQL', 10 ** power, source, async () => 1000 * processorSeconds(database.pid), received)
    await database.run(`DROP TABLE t${power}`)
  }
  await database.stop()
}

async function overTrino(): Promise<void> {
  const { cluster, url, received, spentBy, close } = await countedTrino()
  await cluster.run('CREATE SCHEMA lake.scale')
  for (const power of powers) {
    await cluster.run(`CREATE TABLE lake.scale.t${power} AS SELECT ${columns('(a * 10000 + b)')
      .join(', ')
      .replaceAll('SMALLINT', 'INTEGER')}
      FROM UNNEST(sequence(0, ${10 ** power / 10_000 - 1})) AS x (a) CROSS JOIN UNNEST(sequence(0, 9999)) AS y (b)`)
    const source = { kind: 'trino', url, catalog: 'lake', schema: 'scale', table: `t${power}` } as const
    await measure('Trino over Iceberg', 10 ** power, source, () => spentBy('bench'), received)
    await cluster.run(`DROP TABLE lake.scale.t${power}`)
  }
  close()
}

if (engines.includes('duckdb')) await overDuckdb()
if (engines.includes('postgres')) await overPostgres()
if (engines.includes('trino')) await overTrino()
rmSync(folder, { recursive: true })
await run.end()
process.exit(0)
