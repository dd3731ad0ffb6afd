// What the first question about 3 million rows of Parquet costs, in processor time of all cores: by an engine that was never asked, and by a
// process that was just started, each beside DuckDB's own for the plain statement, in turns.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { censusPolicy, censusUniverse, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor } from '../src/index.ts'
import { type LinearQuery, marginal, parseSql } from '../src/query/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { median, report } from './harness.ts'

const folder = new URL('../.bench/warm/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const path = `${folder}census.parquet`
if (!existsSync(path)) await writeCensus({ rows: 3_000_000, seed: 1, path })

const where = "gender = 'Female' AND state IN ('SP', 'RJ')"
const count = `SELECT COUNT(*) FROM census WHERE age BETWEEN 20 AND 59 AND ${where}`
const { parts } = await parseSql(count, { dataset: 'census', universe: censusUniverse })
const connection = await (await DuckDBInstance.create(':memory:')).connect()

async function processorTime(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds of the plain statement and of an engine that was opened for this question alone; and how many times the one is the other. */
async function beside(queries: readonly LinearQuery[], sql: string) {
  const times = { plain: [] as number[], engine: [] as number[] }
  await connection.runAndReadAll(sql)
  for (let round = 0; round < 9; round++) {
    const engine = await openEngine({
      source: { kind: 'duckdb', path },
      universe: censusUniverse,
      unit: { kind: 'row' },
      key: new Uint8Array(32),
    })
    const snapshot = await engine.snapshot()
    times.plain.push(await processorTime(() => connection.runAndReadAll(sql)))
    times.engine.push(await processorTime(() => snapshot.answer(queries)))
    await engine.close()
  }
  return { plain: median(times.plain), ratio: median(times.engine) / median(times.plain) }
}
const counted = await beside(parts, count.replace('census', `'${path}'`))
const grouped = await beside(
  [marginal(['state', 'education'])],
  `SELECT state, education, count(*) FROM '${path}' GROUP BY ALL`,
)

/** Of a process that runs this, the processor time of its own and that of `work` in it. */
function inProcess(setup: string, work: string): { whole: number; work: number } {
  const cpu = '(() => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 })()'
  const text = `${setup}; const before = ${cpu}; ${work}; console.log(JSON.stringify([${cpu}, before]))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' })
  const [whole, before] = JSON.parse(stdout) as [number, number]
  return { whole, work: whole - before }
}
const policy = `${folder}first.yaml`
for (const old of ['first.ledger', 'first.ledger-journal', 'first.yaml.head']) rmSync(folder + old, { force: true })
writeFileSync(policy, censusPolicy({ epsilon: '1000' }).replaceAll('census.ledger', 'first.ledger'))
await createLedgerFor(policy)
const library = new URL('../dist/index.js', import.meta.url).href
const duckdb = import.meta.resolve('@duckdb/node-api')
const processes = Array.from({ length: 7 }, (_, i) => {
  const sql = `SELECT COUNT(*) FROM census WHERE age BETWEEN ${20 + i} AND 59 AND ${where}`
  const asked = inProcess(
    `const { open } = await import('${library}'); const census = await open('${policy}')`,
    `await census.ask(${JSON.stringify(sql)}, { epsilon: '0.001' })`,
  )
  const plain = inProcess(
    `const { DuckDBInstance } = await import('${duckdb}')`,
    `await (await (await DuckDBInstance.create(':memory:')).connect()).runAndReadAll(${JSON.stringify(sql.replace('census', `'${path}'`))})`,
  )
  return { asked, plain }
})
const ratioOf = (part: 'whole' | 'work') =>
  median(processes.map(({ asked }) => asked[part])) / median(processes.map(({ plain }) => plain[part]))

await report('the first question about 3 million rows of Parquet, in processor time', [
  { what: "a count, by DuckDB's plain statement", value: counted.plain, unit: 'ms' },
  { what: '… by the engine, never asked before', value: counted.ratio, unit: '×', atMost: 2 },
  { what: 'a GROUP BY of 26 × 5 groups, by the plain statement', value: grouped.plain, unit: 'ms' },
  { what: '… by the engine, never asked before', value: grouped.ratio, unit: '×', atMost: 2 },
  {
    what: 'a process that asks one count, beside one that runs the plain statement',
    value: ratioOf('whole'),
    unit: '×',
  },
  { what: '… the question alone, with reading SQL, ledger and prices', value: ratioOf('work'), unit: '×' },
  { what: '… the question alone', value: median(processes.map(({ asked }) => asked.work)), unit: 'ms' },
])
