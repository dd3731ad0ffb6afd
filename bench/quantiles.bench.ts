import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { censusPolicy, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open } from '../src/index.ts'
import { check, median, report } from './harness.ts'

// A median of 3·10^6 records for ε = 0.05, and what it costs in time once it is free.

const dir = mkdtempSync(join(tmpdir(), 'quantiles-bench-'))
const table = join(dir, 'census.parquet')
await writeCensus({ rows: 3_000_000, seed: 1, path: table })
const duckdb = await (await DuckDBInstance.create()).connect()
const [[truth]] = (await (await duckdb.run(`SELECT median(age) FROM '${table}'`)).getRows()) as [[number]]

const sql = 'SELECT MEDIAN(age) FROM census'
const times: number[] = []
const spent: number[] = []
let [worst, free, freeProcessor] = [0, 0, 0]
/** Processor time of this process, in milliseconds: other processes do not count. */
const processor = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
for (let i = 0; i < 5; i++) {
  const policy = join(dir, `${i}.yaml`)
  writeFileSync(policy, censusPolicy().replace(/sqlite: [^ }\n]+/, `sqlite: ${i}.ledger`))
  await createLedgerFor(policy)
  const census = await open(policy)
  // A first count opens the table: a session has asked something before.
  await census.ask("SELECT COUNT(*) FROM census WHERE gender = 'Female'", { epsilon: '0.0001' })
  const [began, used] = [performance.now(), processor()]
  const answer = await census.ask(sql, { epsilon: '0.05' })
  times.push(performance.now() - began)
  spent.push(processor() - used)
  check('interval' in answer && answer.within !== null, 'the median is known')
  if ('estimate' in answer) worst = Math.max(worst, Math.abs(answer.estimate! - Number(truth)))
  for (let k = 0; k < 20; k++) await census.ask(sql, { free: true })
  const [freeBegan, freeUsed] = [performance.now(), processor()]
  for (let k = 0; k < 20; k++) await census.ask(sql, { free: true })
  free = (performance.now() - freeBegan) / 20
  freeProcessor = (processor() - freeUsed) / 20
  await census.close()
}

await report('quantiles', [
  { what: 'the median age of 3·10^6 records, ε = 0.05', value: median(times) / 1000, unit: 's', atMost: 1 },
  { what: 'the same, processor time', value: median(spent) / 1000, unit: 's' },
  { what: 'how far off it was at worst, in % of the range', value: worst, unit: '%', atMost: 1 },
  { what: 'the same median, free and warm', value: free, unit: 'ms', atMost: 20 },
  { what: 'the same, processor time', value: freeProcessor, unit: 'ms' },
])
rmSync(dir, { recursive: true })
