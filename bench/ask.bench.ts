import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { censusPolicy, censusUniverse, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open } from '../src/index.ts'
import { parseSql } from '../src/query/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { best, interleaved, report } from './harness.ts'

// What an answer costs besides the database's own time: as a library, and as a command.

const dir = mkdtempSync(join(tmpdir(), 'ask-bench-'))
const policy = join(dir, 'reticent.yaml')
await writeCensus({ rows: 200_000, seed: 1, path: join(dir, 'census.parquet') })
writeFileSync(policy, censusPolicy())
await createLedgerFor(policy)

/** Another one each time: the same question again refines its answer, for which all of the source is read. */
let next = 0
const another = () =>
  `SELECT COUNT(*) FROM census WHERE age BETWEEN ${next % 50} AND ${50 + (next++ % 49)} AND gender = 'Female'`
const sql = another()
const census = await open(policy)
const { parts } = await parseSql(sql, { dataset: 'census', universe: censusUniverse })
const engine = await openEngine({
  source: census.policy.source,
  universe: censusUniverse,
  unit: { kind: 'row' },
  key: new Uint8Array(32),
})
const { medians } = await interleaved(
  {
    ask: () => census.ask(another(), { epsilon: '0.0001' }),
    again: () => census.ask(sql, { epsilon: '0.0001' }),
    engine: async () => (await engine.snapshot()).answer(parts),
  },
  31,
)
await engine.close()
await census.close()

const command = await best(() =>
  spawnSync('./reticent', ['ask', another(), '--epsilon', '0.0001', '--policy', policy, '--json'], {
    encoding: 'utf8',
  }),
)
if (command.value.status !== 0) throw new Error(command.value.stdout)

await report('asking', [
  { what: 'a library ask, beyond the engine', value: medians.ask - medians.engine, unit: 'ms', atMost: 20 },
  { what: 'the same question again, beyond the engine', value: medians.again - medians.engine, unit: 'ms' },
  { what: 'the engine alone', value: medians.engine, unit: 'ms' },
  { what: './reticent ask on the demo', value: command.milliseconds / 1000, unit: 's', atMost: 0.6 },
])
rmSync(dir, { recursive: true })
