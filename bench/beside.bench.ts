// Free asks while others buy and publish: a table of 10^4 groups is bought again and again, and a synthetic table is made. Both are in threads of their
// own. The bar: half of the asks take at most twice as long as on a server with nothing else to do, on a machine that has a core to spare.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from '../src/client/index.ts'
import { censusPolicy, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open } from '../src/index.ts'
import { check, median, report } from './harness.ts'

const dir = mkdtempSync(join(tmpdir(), 'reticent-bench-'))
const policy = join(dir, 'reticent.yaml')
await writeCensus({ rows: 200_000, seed: 1, path: join(dir, 'census.parquet') })
writeFileSync(policy, censusPolicy().replace(/epsilon: [\d.]+/, 'epsilon: 100'))
await createLedgerFor(policy)
const data = await open(policy)
await data.ask('SELECT age, COUNT(*) FROM census GROUP BY 1', { epsilon: 0.5 })
await data.close()

const args = ['serve', '--policy', policy, '--port', '0', '--rate', '0', '--json']
const server = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
const url: string = await new Promise((found) => {
  server.stdout.once('data', (line) => found(JSON.parse(String(line)).url))
})
const census = connect({ url }).dataset('census')

let asked = 0
/** Milliseconds that free asks take, one after the other, all different. */
async function times(count: number): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < count; i++) {
    const low = asked++ % 97
    const start = performance.now()
    await census.ask({
      sql: `SELECT COUNT(*) FROM census WHERE age > ${low} OR age = ${(asked * 31) % 101}`,
      free: true,
    })
    taken.push(performance.now() - start)
  }
  return taken.sort((x, y) => x - y)
}

try {
  // 512 × 26 groups.
  const table = { sql: 'SELECT occupation, state, COUNT(*) FROM census GROUP BY 1, 2', epsilon: 0.05 }
  await census.ask(table)
  await times(150)
  const alone = await times(200)
  let isOver = false
  let tables = 0
  const buying = (async () => {
    while (!isOver) {
      const { groups } = (await census.ask({ ...table, epsilon: 0.05 + tables / 1000 })) as { groups?: unknown[] }
      check(groups?.length === 512 * 26, 'the table has all of its groups')
      tables++
    }
  })()
  const { id } = await census.startJob({ kind: 'synth', options: { epsilon: 1, method: 'pairs', rows: 1_000_000 } })
  const beside = await times(200)
  isOver = true
  await buying
  const { state } = await census.job(id)
  await report(`free asks beside ${tables} tables and a job (${state}), at a load of ${loadavg()[0]!.toFixed(1)}`, [
    { what: 'alone: median', value: median(alone), unit: 'ms' },
    { what: 'alone: 99th percentile', value: alone[197]!, unit: 'ms' },
    { what: 'beside others: median', value: median(beside), unit: 'ms', atMost: 2 * median(alone) },
    { what: 'beside others: 99th percentile', value: beside[197]!, unit: 'ms' },
  ])
} finally {
  server.kill('SIGTERM')
  rmSync(dir, { recursive: true, force: true })
}
