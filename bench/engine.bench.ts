// Exact answers through DuckDB, beside DuckDB itself with the same encoding: 14 million rows of the synthetic census.
import { existsSync, mkdirSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { censusUniverse, seededBits, writeCensus } from '../src/evaluation/index.ts'
import { countAll, type Indicator, type LinearQuery, marginal } from '../src/query/index.ts'
import { duckdb, kindOf } from '../src/trusted/engine/duckdb/dialect.ts'
import { type Engine, openEngine } from '../src/trusted/engine/index.ts'
import { codeSql, name } from '../src/trusted/engine/sql/index.ts'
import type { Exact } from '../src/trusted/exact/index.ts'
import { open } from '../src/trusted/exact/open.ts'
import { best, check, type Figure, interleaved, peakMemory, report } from './harness.ts'

const folder = new URL('../.bench/', import.meta.url).pathname
const attributes = censusUniverse.attributes
const pairs = attributes.flatMap((a, i) => attributes.slice(0, i).map((b) => [b.name, a.name] as const))
const marginals = pairs.map((pair) => marginal(pair))
const count = (factors: { [attribute: string]: Indicator }): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors }],
})
const three = count({
  age: { kind: 'interval', from: 20, to: 59 },
  state: { kind: 'set', codes: [0, 2, 4, 7] },
  occupation: { kind: 'interval', from: 1, to: 99 },
})

async function census(rows: number): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}engine-${rows}.parquet`
  if (!existsSync(path)) await writeCensus({ rows, seed: 1, path })
  return path
}
const openCensus = (path: string): Promise<Engine> =>
  openEngine({
    source: { kind: 'duckdb', path },
    universe: censusUniverse,
    unit: { kind: 'row' },
    key: new Uint8Array(32),
  })
const values = (answers: Exact<unknown>[]) => answers.map((a) => open(a) as Float64Array)

/** What one would write by hand: one statement per question, over the same codes, and its whole result fetched. */
async function byHand(path: string) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const types = await connection.runAndReadAll(`DESCRIBE FROM '${path}'`)
  const typeOf = new Map(types.getRowsJS().map(([column, type]) => [column, String(type)]))
  const columnOf = (named: string, type = typeOf.get(named)!) => ({ sql: name(named), type, kind: kindOf(type) })
  const codes = attributes.map((a) => `${codeSql(duckdb, a, columnOf(a.name))} AS ${a.name}`)
  const from = `(SELECT ${codes.join(', ')} FROM '${path}')`
  return {
    marginals: async () => {
      for (const [a, b] of pairs) await connection.run(`SELECT ${a}, ${b}, count(*) FROM ${from} GROUP BY ${a}, ${b}`)
    },
    three: () =>
      connection.run(`SELECT count(*) FROM ${from}
        WHERE age BETWEEN 20 AND 59 AND state IN (0, 2, 4, 7) AND occupation BETWEEN 1 AND 99`),
  }
}

/** Two attributes, a random interval in each. */
function randomCounts(many: number): LinearQuery[] {
  const bits = seededBits(3)
  const below = (n: number) => bits.uint32() % n
  const interval = (size: number): Indicator => {
    const [a, b] = [below(size), below(size)]
    return { kind: 'interval', from: Math.min(a, b), to: Math.max(a, b) }
  }
  return Array.from({ length: many }, () => {
    const factors = pairs[below(pairs.length)]!.map((n) => [
      n,
      interval(attributes[censusUniverse.index.get(n)!]!.size),
    ])
    return count(Object.fromEntries(factors))
  })
}

/** Fewer for a quick look: `node bench/engine.bench.ts 3`. */
const rounds = Number(process.argv[2] ?? 15) || 15

async function large(): Promise<Figure[]> {
  const path = await census(14_000_000)
  const engine = await openCensus(path)
  const hand = await byHand(path)
  const answers = values(await (await engine.snapshot()).answer(marginals))
  check(
    answers.every((a) => a.reduce((n, c) => n + c, 0) === 14_000_000),
    'a marginal does not count every record',
  )
  const all = await interleaved(
    { engine: async () => (await engine.snapshot()).answer(marginals), duckdb: hand.marginals },
    rounds,
  )
  const one = await interleaved(
    { engine: async () => (await engine.snapshot()).answer([three]), duckdb: hand.three },
    rounds,
  )
  await engine.close()
  const { megabytes } = peakMemory(import.meta.filename, 'memory')
  return [
    { what: 'all 36 two-way marginals of 14 million rows', value: all.medians.engine, unit: 'ms' },
    { what: '… by 36 statements of DuckDB', value: all.medians.duckdb, unit: 'ms' },
    { what: '… ratio', value: all.ratio, unit: '×', atMost: 1.15 },
    { what: 'a count with three conditions', value: one.medians.engine, unit: 'ms' },
    { what: '… by DuckDB', value: one.medians.duckdb, unit: 'ms' },
    { what: '… ratio', value: one.ratio, unit: '×', atMost: 1.3 },
    { what: 'peak memory of both', value: megabytes, unit: 'MB', atMost: 1000 },
  ]
}

async function small(): Promise<Figure[]> {
  const engine = await openCensus(await census(500_000))
  const queries = randomCounts(5000)
  const { milliseconds, value } = await best(async () => (await engine.snapshot()).answer(queries))
  const some = queries.slice(0, 20)
  const alone = await Promise.all(some.map(async (q) => values(await (await engine.snapshot()).answer([q]))[0]![0]))
  check(
    alone.every((n, i) => n === values(value)[i]![0]),
    'a count in a crowd is another than alone',
  )
  await engine.close()
  return [{ what: '5,000 two-attribute counts over 500,000 rows', value: milliseconds, unit: 'ms', atMost: 3000 }]
}

if (process.argv[2] === 'memory') {
  const engine = await openCensus(await census(14_000_000))
  await (await engine.snapshot()).answer(marginals)
  await (await engine.snapshot()).answer([three])
  await engine.close()
} else await report('Engine: exact answers through DuckDB', [...(await small()), ...(await large())])
