// A synthetic Adult at (1, 10^-9): the whole command from a Parquet file to rows, and how far the rows are off. Without the
// data beside the project a census that we make up takes its place, and nothing is known about its error.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { generatedTable, seededBits, sharedTable } from '../src/evaluation/index.ts'
import { createLedgerFor } from '../src/index.ts'
import { panelKernel } from '../src/numeric/index.ts'
import { label } from '../src/schema/index.ts'
import { best, check, type Figure, peakMemory, report } from './harness.ts'

const figures: Figure[] = []

const [length, rows] = [96, 32]
const kernel = panelKernel(length)
kernel.memory.grow(4)
const floats = new Float32Array(kernel.memory.buffer)
const { uniform } = seededBits(1)
for (let i = 0; i < floats.length; i++) floats[i] = uniform()
const times = 20_000
const products = await best(() => {
  for (let t = 0; t < times; t++)
    for (let i = 0; i < rows; i += 4)
      kernel.dots(4 * i * length, 4 * rows * length, 8 * rows * length + 4 * i * rows, 4 * rows, rows / 2)
})
const operations = 2 * times * rows * rows * length
figures.push({ what: 'products of panels', value: operations / products.milliseconds / 1e6, unit: 'GFLOP/s' })

const table = sharedTable('adult_pgm') ?? generatedTable(48_842, 1)
const { attributes } = table.universe
const folder = mkdtempSync(join(tmpdir(), 'reticent-bench-'))
try {
  const line = (row: number) => attributes.map((a, i) => JSON.stringify(label(a, table.columns[i]![row]!))).join(',')
  const csv = Array.from({ length: table.rows }, (_, row) => line(row))
  writeFileSync(join(folder, 'adult.csv'), [attributes.map(({ name }) => name).join(','), ...csv].join('\n'))
  const connection = await (await DuckDBInstance.create()).connect()
  const file = (name: string) => `'${join(folder, name)}'`
  await connection.run(`COPY (FROM read_csv(${file('adult.csv')})) TO ${file('adult.parquet')} (FORMAT parquet)`)
  connection.closeSync()
  const domain = (a: (typeof attributes)[number]) =>
    a.kind === 'integer'
      ? `integer: [${a.low}, ${a.high}]`
      : `values: ${JSON.stringify(a.kind === 'values' ? a.values : [])}`
  const policy = join(folder, 'reticent.yaml')
  const domains = attributes.map((a) => `  ${a.name}: { ${domain(a)}, closed: true }`).join('\n')
  writeFileSync(
    policy,
    `dataset: adult
source: { duckdb: adult.parquet }
privacy: { unit: row, neighbours: add-remove, epsilon: 10, delta: 1e-9 }
attributes:
${domains}
ledger: { sqlite: adult.ledger }
`,
  )
  await createLedgerFor(policy)
  let run = 0
  const command = await best(() => {
    const out = join(folder, `made-${run++}.csv`)
    const args = ['synth', '--method', 'pairs', '--epsilon', '1', '--policy', policy, '--out', out]
    return { out, ...peakMemory(resolve('dist/cli/main.js'), ...args) }
  }, 3)
  check(command.value.output.includes('pairs'), 'the command says what it did')
  const size = `${table.rows.toLocaleString('en')} rows of ${attributes.length} attributes`
  figures.push(
    { what: `from Parquet to synthetic rows, ${size}`, value: command.milliseconds / 1000, unit: 's', atMost: 10 },
    { what: 'its memory', value: command.value.megabytes, unit: 'MB', atMost: 1000 },
  )
} finally {
  rmSync(folder, { recursive: true })
}

await report('synthetic data from all pairs', figures)
