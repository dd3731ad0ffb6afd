// Exact answers through PostgreSQL, beside PostgreSQL itself: 2 million rows of the synthetic census in a table.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { censusUniverse, writeCensus } from '../src/evaluation/index.ts'
import { countAll, type LinearQuery, marginal } from '../src/query/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import type { Exact } from '../src/trusted/exact/index.ts'
import { open } from '../src/trusted/exact/open.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { countBytes } from './counted-postgres.ts'
import { check, type Figure, interleaved, report } from './harness.ts'

/** Fewer for a quick look: `node bench/postgres.bench.ts 200000 2`. */
const rows = Number(process.argv[2] ?? 2_000_000) || 2_000_000
const rounds = Number(process.argv[3] ?? 5) || 5

const { attributes } = censusUniverse
const pairs = attributes.flatMap((a, i) => attributes.slice(0, i).map((b) => [b.name, a.name] as const))
const marginals = pairs.map((pair) => marginal(pair))
const three: LinearQuery = {
  ...countAll,
  terms: [
    {
      coefficient: 1,
      factors: {
        age: { kind: 'interval', from: 20, to: 59 },
        state: { kind: 'set', codes: [0, 2, 4, 7] },
        occupation: { kind: 'interval', from: 1, to: 99 },
      },
    },
  ],
}
const values = (answers: Exact<unknown>[]) => answers.map((a) => open(a) as Float64Array)

/** The census as a table `census`: an integer, and texts. */
async function load(run: (sql: string) => Promise<unknown>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reticent-bench-'))
  const [parquet, csv] = [join(folder, 'census.parquet'), join(folder, 'census.csv')]
  await writeCensus({ rows, seed: 1, path: parquet })
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
  await duckdb.run(`COPY (FROM '${parquet}') TO '${csv}' (HEADER false)`)
  chmodSync(folder, 0o755)
  chmodSync(csv, 0o644)
  const columns = attributes.map(({ name, kind }) => `${name} ${kind === 'integer' ? 'integer' : 'text'}`)
  await run(`CREATE TABLE census (${columns.join(', ')})`)
  await run(`COPY census FROM '${csv}' CSV`)
  await run('VACUUM ANALYZE census')
  rmSync(folder, { recursive: true })
}

const bytesRead = countBytes()
const database = await startPostgres()
try {
  await load(database.run)
  const engine = await openEngine({
    source: { kind: 'postgres', url: database.url, table: 'census' },
    universe: censusUniverse,
    unit: { kind: 'row' },
    key: new Uint8Array(32),
  })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const answer = async (queries: readonly LinearQuery[]) => (await engine.snapshot()).answer(queries)

  await engine.snapshot()
  const before = bytesRead()
  const answers = values(await answer(marginals))
  const bytes = bytesRead() - before
  check(
    answers.every((a) => a.reduce((n, c) => n + c, 0) === rows),
    'a marginal does not count every record',
  )
  const cells = answers.reduce((n, a) => n + a.filter((c) => c !== 0).length, 0)

  const all = await interleaved(
    {
      engine: () => answer(marginals),
      postgres: async () => {
        for (const [a, b] of pairs) await client.query(`SELECT ${a}, ${b}, count(*) FROM census GROUP BY ${a}, ${b}`)
      },
    },
    rounds,
  )
  const one = await interleaved(
    {
      engine: () => answer([three]),
      postgres: () =>
        client.query(`SELECT count(*) FROM census WHERE age BETWEEN 20 AND 59 AND state IN ('SP', 'RJ', 'RS', 'CE')
          AND occupation BETWEEN 'occupation 001' AND 'occupation 099'`),
    },
    rounds,
  )
  const full = await interleaved(
    {
      engine: async () => (await engine.snapshot()).full(),
      postgres: () => client.query('SELECT count(census::text) FROM census'),
    },
    1,
  )
  const figures: Figure[] = [
    { what: `all 36 two-way marginals of ${rows.toLocaleString('en')} rows`, value: all.medians.engine, unit: 'ms' },
    { what: '… by 36 GROUP BYs of PostgreSQL', value: all.medians.postgres, unit: 'ms' },
    { what: '… ratio', value: all.ratio, unit: '×', atMost: 1.3 },
    { what: 'bytes from the server', value: bytes, unit: 'B' },
    { what: '… for each of the cells that are not empty', value: bytes / cells, unit: 'B', atMost: 40 },
    { what: 'a count with three conditions', value: one.medians.engine, unit: 'ms' },
    { what: '… by PostgreSQL', value: one.medians.postgres, unit: 'ms' },
    { what: '… ratio', value: one.ratio, unit: '×' },
    { what: 'the full check', value: full.medians.engine, unit: 'ms' },
    { what: '… beside reading all rows as texts', value: full.ratio, unit: '×' },
  ]
  await client.end()
  await engine.close()
  await report('PostgreSQL: exact answers from a server', figures)
} finally {
  await database.stop()
}
