// The demo's table: how fast it is drawn and written. Bar: 2 million rows a second drawn, below 1 GB for 14 million.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { generateCensus, writeCensus } from '../src/evaluation/index.ts'
import { best, check, type Figure, peakMemory, report } from './harness.ts'

const folder = new URL('../.bench/', import.meta.url).pathname
const large = 14_000_000

async function write(rows: number, name: string): Promise<Figure[]> {
  const path = `${folder}${name}`
  const start = performance.now()
  await writeCensus({ rows, seed: 1, path })
  const seconds = (performance.now() - start) / 1000
  const megabytes = statSync(path).size / 1e6
  rmSync(path)
  const what = `${rows.toLocaleString('en')} rows to ${name}`
  return [
    { what, value: seconds, unit: 's' },
    { what: `${what}, size`, value: megabytes, unit: 'MB' },
  ]
}

async function bench() {
  const rows = 2_000_000
  const drawn = await best(() => generateCensus({ rows, seed: 1 }))
  check(drawn.value.columns.length === 9 && drawn.value.rows === rows, 'the table has another shape')
  const child = peakMemory(import.meta.filename, 'write')
  await report('Census: a synthetic table', [
    { what: 'rows drawn a second', value: (rows / drawn.milliseconds) * 1000, unit: 'rows/s', atLeast: 2_000_000 },
    ...(await write(200_000, 'demo.parquet')),
    ...(await write(200_000, 'demo.csv')),
    ...(JSON.parse(child.output) as Figure[]),
    { what: 'peak memory of the largest', value: child.megabytes, unit: 'MB', atMost: 1000 },
  ])
}

mkdirSync(folder, { recursive: true })
if (process.argv[2] === 'write') process.stdout.write(JSON.stringify(await write(large, 'large.parquet')))
else await bench()
