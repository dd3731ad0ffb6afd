// Paid questions on 3 million rows of Parquet: the library beside DuckDB's own time for the plain statement, in one run; what a
// question adds once codes are kept; and refining, which needs the whole file to be the same.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'
import { censusPolicy, censusUniverse, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open } from '../src/index.ts'
import { marginal, parseSql } from '../src/query/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { interleaved, median, report } from './harness.ts'

const rows = 3_000_000
const folder = new URL('../.bench/warm/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const path = `${folder}census.parquet`
if (!existsSync(path)) await writeCensus({ rows, seed: 1, path })
const policy = `${folder}reticent.yaml`
for (const old of ['census.ledger', 'census.ledger-journal', 'reticent.yaml.head'])
  rmSync(`${folder}${old}`, { force: true })
writeFileSync(policy, censusPolicy({ epsilon: '1000' }))

const where = "age BETWEEN 20 AND 59 AND gender = 'Female' AND state IN ('SP', 'RJ')"
const { parts } = await parseSql(`SELECT COUNT(*) FROM census WHERE ${where}`, {
  dataset: 'census',
  universe: censusUniverse,
})
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const plain = {
  count: `SELECT count(*) FROM '${path}' WHERE ${where}`,
  groups: `SELECT state, education, count(*) FROM '${path}' GROUP BY ALL`,
}
const engineOf = (warm: boolean) =>
  openEngine({
    source: { kind: 'duckdb', path },
    universe: censusUniverse,
    unit: { kind: 'row' },
    key: new Uint8Array(32),
    warm,
  })

/** Each time by an engine that has never been asked before. */
const cold: number[] = []
for (let i = 0; i < 5; i++) {
  const engine = await engineOf(false)
  const snapshot = await engine.snapshot()
  const start = performance.now()
  await snapshot.answer(parts)
  cold.push(performance.now() - start)
  await engine.close()
}
const engine = await engineOf(true)
const start = performance.now()
await (await engine.snapshot()).warm?.()
const warming = performance.now() - start
const count = await interleaved({
  engine: async () => (await engine.snapshot()).answer(parts),
  duckdb: () => connection.runAndReadAll(plain.count),
})
const groups = await interleaved({
  engine: async () => (await engine.snapshot()).answer([marginal(['state', 'education'])]),
  duckdb: () => connection.runAndReadAll(plain.groups),
})
/** Milliseconds on all cores together, which waiting for others does not add to. */
async function processorTime(run: () => Promise<unknown>, times = 15): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}
const warmTime = await processorTime(async () => (await engine.snapshot()).answer(parts))
const plainTime = await processorTime(() => connection.runAndReadAll(plain.count))
await engine.close()

await createLedgerFor(policy)
const census = await open(policy, { warm: true })
let next = 0
const ask = (low: number) =>
  census.ask(`SELECT COUNT(*) FROM census WHERE age BETWEEN ${low} AND 59 AND gender = 'Female'`, { epsilon: '0.001' })
const asking = await interleaved(
  { ask: () => ask(next++ % 50), duckdb: () => connection.runAndReadAll(plain.count) },
  15,
)
// The same question at twice the precision, again and again: each refines the answer before.
const sql = "SELECT COUNT(*) FROM census WHERE race = 'Black'"
let within = 20_000
const refining: number[] = []
const kinds = new Set<string>()
for (let i = 0; i < 6; i++) {
  const begin = performance.now()
  within /= 2
  const { kind } = await census.ask(sql, { within: `${within}` })
  if (i > 1) refining.push(performance.now() - begin)
  if (i > 0) kinds.add(kind)
}
await census.close()

await report(`paid questions on ${rows / 1e6} million rows of Parquet  (load ${loadavg()[0]!.toFixed(1)})`, [
  { what: "a count, by DuckDB's plain statement", value: count.medians.duckdb, unit: 'ms' },
  { what: '… by the engine, never asked before', value: median(cold) / count.medians.duckdb, unit: '×' },
  { what: '… by the engine, warm', value: count.ratio, unit: '×', atMost: 2 },
  { what: '… in all', value: count.medians.engine, unit: 'ms', atMost: 25 },
  { what: '… processor time, all cores', value: warmTime, unit: 'ms' },
  { what: '… processor time of the plain statement', value: plainTime, unit: 'ms' },
  { what: 'a GROUP BY of 26 × 5 groups, warm', value: groups.ratio, unit: '×', atMost: 2 },
  { what: 'a paid count by the library, warm', value: asking.ratio, unit: '×', atMost: 2 },
  { what: '… in all', value: asking.medians.ask, unit: 'ms' },
  { what: `refining an answer (${[...kinds].join()})`, value: median(refining), unit: 'ms' },
  { what: 'making the codes of all attributes, once', value: warming, unit: 'ms' },
])
