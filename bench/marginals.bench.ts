// What is made of 36 two-way marginals (99,698 cells) after they were measured, and the whole command from a Parquet file of
// 10^7 rows to a folder with a report.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { censusPolicy, countMarginals, generatedTable, openCounted, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor } from '../src/index.ts'
import { rational } from '../src/numeric/index.ts'
import { countAll } from '../src/query/index.ts'
import { allWays, consistentMarginals, measureMarginals } from '../src/release/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const figures: Figure[] = []

const table = generatedTable(1_000_000, 1)
const counted = countMarginals(table, allWays(table.universe, 2))
const { context } = await openCounted(counted, { epsilon: rational(1), neighbours: 'replace-one' })
const floor = counted.records * 1e-4
const { receipts } = await measureMarginals(
  {
    marginals: counted.marginals,
    method: 'laplace',
    budget: { epsilon: rational(1) },
    floor: { kind: 'count', count: floor },
    records: { kind: 'known', count: counted.records },
  },
  context,
)
const size = { id: 'n', query: countAll, law: { kind: 'none' }, values: Float64Array.of(counted.records) } as const
const measurements = [...receipts.flatMap((receipt) => receipt.measurements), size]
const making = { measurements, random: Math.random }
const made = await best(() => consistentMarginals(table.universe, counted.marginals, making))
figures.push({ what: 'combine and fit 99,698 cells in 36 tables', value: made.milliseconds, unit: 'ms' })
const said = await best(() => made.value.expectedErrors(floor))
figures.push({ what: 'the error to expect of them', value: said.milliseconds, unit: 'ms' })
// Laws of errors are shared between tables: each run has tables of its own.
const fresh = Array.from({ length: 6 }, () => consistentMarginals(table.universe, counted.marginals, making))
const widths = await best(() => fresh.pop()!.laws.map((law) => law.halfWidth(0.95)), fresh.length - 1)
figures.push({ what: '36 intervals', value: widths.milliseconds, unit: 'ms' })
check(
  made.value.counts.every((counts) => counts.reduce((sum, count) => sum + count, 0) === counted.records),
  'every table adds up to the number of records',
)

const folder = mkdtempSync(join(tmpdir(), 'reticent-bench-'))
try {
  await writeCensus({ rows: 10_000_000, seed: 1, path: join(folder, 'census.parquet') })
  writeFileSync(join(folder, 'reticent.yaml'), censusPolicy())
  await createLedgerFor(join(folder, 'reticent.yaml'))
  let run = 0
  const command = await best(() => {
    const args = ['release', 'marginals', '--ways', '2', '--epsilon', '0.1', '--out', `tables-${run++}`, '--json']
    return spawnSync(process.execPath, [resolve('dist/cli/main.js'), ...args], { cwd: folder, encoding: 'utf8' })
  }, 3)
  check(command.value.status === 0, 'the command succeeds')
  figures.push({
    what: 'the whole command, 36 two-way marginals of 10^7 rows',
    value: command.milliseconds / 1000,
    unit: 's',
    atMost: 15,
  })
} finally {
  rmSync(folder, { recursive: true })
}
await report('marginals', figures)
