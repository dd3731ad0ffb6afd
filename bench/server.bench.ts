// A server under many free asks, with a history of 500 purchases. Bars: 200 asks a second from 200 connections, sustained for
// 30 s, with a 99th percentile below 100 ms. Once with a hundred questions that are asked again and again, as pages do, and twice
// with questions that are all different, so that nothing is remembered: of one attribute, and of three. The server's processor time tells what an ask
// takes on a machine that has other things to do. SECONDS=5 makes it short.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
// @ts-expect-error: it comes without types
import autocannon from 'autocannon'
import { censusPolicy, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open } from '../src/index.ts'
import { check, type Figure, report } from './harness.ts'

const seconds = Number(process.env.SECONDS ?? 30)
const dir = mkdtempSync(join(tmpdir(), 'reticent-bench-'))
const policy = join(dir, 'reticent.yaml')

/** The i-th of so many ranges of ages within a state; no two are the same. */
const range = (i: number): string => {
  const low = i % 90
  return `age BETWEEN ${low} AND ${low + 1 + (Math.floor(i / 90) % 10)}`
}

await writeCensus({ rows: 200_000, seed: 1, path: join(dir, 'census.parquet') })
writeFileSync(policy, censusPolicy().replace(/epsilon: [\d.]+/, 'epsilon: 10'))
await createLedgerFor(policy)
const census = await open(policy)
await census.ask('SELECT age, COUNT(*) FROM census GROUP BY 1', { epsilon: 0.5 })
await census.ask('SELECT state, gender, COUNT(*) FROM census GROUP BY 1, 2', { epsilon: 0.5 })
for (let i = 2; i < 500; i++) await census.ask(`SELECT COUNT(*) FROM census WHERE ${range(i)}`, { epsilon: 0.002 })
check((await census.history()).length === 500, 'there are 500 purchases')
await census.close()

const server = spawn(
  process.execPath,
  [resolve('dist/cli/main.js'), 'serve', '--policy', policy, '--port', '0', '--rate', '0', '--json'],
  {
    stdio: ['ignore', 'pipe', 'ignore'],
  },
)
const url: string = await new Promise((found) => {
  server.stdout.once('data', (line) => found(JSON.parse(String(line)).url))
})

/** Processor time of the server and its threads so far, in milliseconds; a tick is a hundredth of a second. */
function processorTime(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** What a run of the load came to; the questions are taken in turn. */
async function load(name: string, questions: readonly string[], take: number): Promise<Figure[]> {
  let next = 0
  const before = processorTime()
  const result = await autocannon({
    url: `${url}/api/datasets/census/ask`,
    connections: 200,
    overallRate: 200,
    duration: take,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: [
      {
        setupRequest: (request: object) => {
          const sql = questions[next++ % questions.length]!
          return { ...request, body: JSON.stringify({ sql, free: true }) }
        },
      },
    ],
  })
  const { non2xx, errors, timeouts } = result
  check(
    non2xx === 0 && errors === 0,
    `every ask is answered; ${non2xx} refused, ${errors} failed, ${timeouts} of them late`,
  )
  return [
    { what: `${name}: asks a second`, value: result.requests.average, unit: '', atLeast: 195 },
    { what: `${name}: 99th percentile`, value: result.latency.p99, unit: 'ms', atMost: 100 },
    { what: `${name}: median`, value: result.latency.p50, unit: 'ms' },
    {
      what: `${name}: processor time an ask`,
      value: (processorTime() - before) / result.requests.total,
      unit: 'ms',
      atMost: 4,
    },
  ]
}

const again = Array.from({ length: 100 }, (_, i) => `SELECT COUNT(*) FROM census WHERE ${range(7 * i)}`)
const different = Array.from(
  { length: 200 * (seconds + 5) },
  (_, i) => `SELECT COUNT(*) FROM census WHERE ${range(i)} OR age = ${(i * 31) % 101} OR age > ${99 - (i % 53)}`,
)
const states = [
  'SP',
  'MG',
  'RJ',
  'BA',
  'RS',
  'PR',
  'PE',
  'CE',
  'PA',
  'MA',
  'SC',
  'GO',
  'PB',
  'ES',
  'AM',
  'RN',
  'AL',
  'PI',
]
const mixed = Array.from({ length: different.length }, (_, i) => {
  const some = [i, 7 * i + 1, 5 * i + 2 + Math.floor(i / 18)].map((n) => `'${states[n % states.length]}'`)
  const place = `state IN (${some.join(', ')})`
  const ages = `age BETWEEN ${i % 41} AND ${41 + (Math.floor(i / 41) % 59)}`
  return `SELECT COUNT(*) FROM census WHERE ${i % 2 === 0 ? ages : `${place} AND gender = '${i % 4 === 1 ? 'Male' : 'Female'}'`}`
})

/** Each of the hundred once: what is read once is read by then, and the first measurement is of a server that has run for a while. */
async function warmUp(): Promise<void> {
  for (const sql of again)
    await fetch(`${url}/api/datasets/census/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, free: true }),
    })
}

try {
  await warmUp()
  const figures = [
    ...(await load('asked again and again', again, seconds)),
    ...(await load('all different', different, seconds)),
    ...(await load('ages or places', mixed, seconds)),
  ]
  await report(`server, at a load of ${loadavg()[0]!.toFixed(1)}`, figures)
} finally {
  server.kill('SIGTERM')
  rmSync(dir, { recursive: true, force: true })
}
