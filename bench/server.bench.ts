// A server under many free asks, with a history of 500 purchases. Bars: 200 asks a second from 200 connections, sustained for
// 30 s, with a 99th percentile below 100 ms. Once with a hundred questions that are asked again and again, as pages do, and twice
// with questions that are all different, so that nothing is remembered: of one attribute, and of three. Each of these in two forms: all 200
// connections ask in the same instant once a second, as autocannon does by itself, so that the last percentile is how long 200
// asks take together; and five of them every 25 ms. The server's processor time tells what an ask takes on a machine that has other
// things to do. SECONDS=5 makes it short.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
// @ts-expect-error: it comes without types
import autocannon from 'autocannon'
import { censusPolicy, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open } from '../src/index.ts'
import { check, type Figure, median, report } from './harness.ts'

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

/** Until the server has nothing to do any more: on a busy machine asks are left over when the time is up. */
async function idle(): Promise<void> {
  for (let before = -1; before !== processorTime(); ) {
    before = processorTime()
    await setTimeout(500)
  }
}

/** Two ways to send 200 asks a second: in so many groups, one after the other within a second. */
const forms = { 'all at once': 1, 'spread evenly': 40 }

/** What a run of the load came to; the questions are taken in turn. */
async function load(name: string, questions: readonly string[], form: keyof typeof forms): Promise<Figure[]> {
  let next = 0
  const times: number[] = []
  const groups = forms[form]
  const before = processorTime()
  const runs = Array.from({ length: groups }, async (_, i) => {
    await setTimeout((i * 1000) / groups)
    const run = autocannon({
      url: `${url}/api/datasets/census/ask`,
      connections: 200 / groups,
      overallRate: 200 / groups,
      duration: seconds,
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
    // Its own percentiles are of more than what was measured: for every answer of 50 ms it adds ones of 49, 48, … 1 ms, in place of asks
    // that it believes were kept back.
    run.on('response', (_: unknown, _status: number, _bytes: number, milliseconds: number) => times.push(milliseconds))
    return run
  })
  const results: { readonly [count in 'non2xx' | 'errors' | 'timeouts']: number }[] = await Promise.all(runs)
  await idle()
  const [refused, failed, late] = (['non2xx', 'errors', 'timeouts'] as const).map((kind) =>
    results.reduce((sum, result) => sum + result[kind], 0),
  )
  check(
    refused === 0 && failed === 0,
    `every ask is answered; ${refused} refused, ${failed} failed, ${late} of them late`,
  )
  times.sort((x, y) => x - y)
  const which = `${name}, ${form}`
  return [
    { what: `${which}: asks a second`, value: times.length / seconds, unit: '', atLeast: 195 },
    { what: `${which}: 99th percentile`, value: times[Math.floor(0.99 * times.length)]!, unit: 'ms', atMost: 100 },
    { what: `${which}: median`, value: median(times), unit: 'ms' },
    {
      what: `${which}: processor time an ask`,
      value: (processorTime() - before) / next,
      unit: 'ms',
      atMost: 4,
    },
  ]
}

const again = Array.from({ length: 100 }, (_, i) => `SELECT COUNT(*) FROM census WHERE ${range(7 * i)}`)
const different = Array.from(
  { length: 400 * (seconds + 5) },
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
  const ages = `age BETWEEN ${i % 41} AND ${41 + (Math.floor(i / 41) % 40)} OR age > ${82 + (Math.floor(i / 1640) % 18)}`
  // An odd factor takes no two numbers to the same set.
  const some = states.filter((_, bit) => (((40_503 * i) >> bit) & 1) === 1).map((state) => `'${state}'`)
  const place = `state IN (${some.join(', ')}) AND gender = '${i % 4 === 1 ? 'Male' : 'Female'}'`
  return `SELECT COUNT(*) FROM census WHERE ${i % 2 === 0 ? ages : place}`
})
check(new Set([...different, ...mixed]).size === 2 * different.length, 'no two questions are the same')

const half = (questions: readonly string[], i: number) =>
  questions.slice((i * questions.length) / 2, ((i + 1) * questions.length) / 2)

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
  const figures: Figure[] = []
  // Each half of those that are all different is asked once.
  for (const [name, questions] of Object.entries({
    repeated: again,
    'all different': different,
    'ages or places': mixed,
  }))
    for (const [i, form] of (['spread evenly', 'all at once'] as const).entries())
      figures.push(...(await load(name, name === 'repeated' ? questions : half(questions, i), form)))
  await report(`server, at a load of ${loadavg()[0]!.toFixed(1)}`, figures)
} finally {
  server.kill('SIGTERM')
  rmSync(dir, { recursive: true, force: true })
}
