// One budget for many: 16 processes ask at once, all from one ledger in PostgreSQL, and then go on until it is spent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { censusPolicy, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open, verifyLedger } from '../src/index.ts'
import { ledgerDatabase } from '../test/support/postgres-ledger.ts'
import { processorSeconds } from './counted-postgres.ts'
import { check, report } from './harness.ts'
import { ordinaryQuestion } from './ordinary-questions.ts'

/** Fewer, with a longer history, or after another number of questions: `node bench/postgres-ledger.bench.ts 4 2000 300 40`. */
const processes = Number(process.argv[2]) || 16
/** Rows that are there before. */
const history = Number(process.argv[3]) || 0
/**
 * Each has asked so many questions of a ledger of its own before, and so many of another ledger that they shared: as processes
 * that run for long have, and as ones that have just been started, which still spend a third of their time on compiling.
 */
const usualEarly = [
  { own: 600, shared: 40 },
  { own: 600, shared: 0 },
  { own: 100, shared: 0 },
]
type Early = (typeof usualEarly)[number]
/** So many it asks then. */
const asked = 40
const price = 0.001
/** More than all of these cost; what is left is spent at a hundred times the price. */
const cap = 2

const [mode, told = ''] = process.argv.slice(2)
if (mode === 'ask') await askInTurns(JSON.parse(told))
else {
  const [own, shared] = process.argv.slice(4).map(Number)
  for (const early of own === undefined ? usualEarly : [{ own, shared: shared ?? 0 }]) await main(early)
}

interface Asking {
  /** Policies: with a ledger of its own, with another one that all share, and with the one that counts. */
  readonly own: string
  readonly earlier: string
  readonly policy: string
  readonly number: number
  readonly early: Early
}

/** Says `ready`, waits for a line, asks and tells what it took; waits for another, and asks until nothing is left. */
async function askInTurns({ own, earlier, policy, number, early }: Asking): Promise<void> {
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]()
  const say = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`)
  const askEach = async (path: string, count: number, question: (i: number) => string) => {
    const dataset = await open(path, { warm: true })
    for (let i = 0; i < count; i++) await dataset.ask(question(i), { epsilon: `${price}` })
    return dataset
  }
  await createLedgerFor(own)
  const alone = await askEach(own, early.own, (i) => ordinaryQuestion(10_000 + i))
  await alone.close()
  const shared = await askEach(earlier, early.shared, (i) => ordinaryQuestion(10_600 + asked * number + i))
  await shared.close()
  const census = await askEach(policy, 1, () => ordinaryQuestion(9_000 + number))
  say({ ready: true })
  await lines.next()
  const start = process.cpuUsage()
  for (let i = 0; i < asked; i++) await census.ask(ordinaryQuestion(asked * number + i), { epsilon: `${price}` })
  const { user, system } = process.cpuUsage(start)
  say({ cpu: (user + system) / 1e6 })
  await lines.next()
  let sold = 0
  try {
    for (; ; sold++) await census.ask(ordinaryQuestion(5000 + 100 * number + sold), { epsilon: `${100 * price}` })
  } catch (error) {
    if ((error as { code?: string }).code !== 'budget-exceeded') throw error
  }
  say({ sold })
  await census.close()
  process.exit()
}

async function main(early: Early): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'postgres-ledger-bench-'))
  const database = await ledgerDatabase()
  process.env.BENCH_LEDGER = database.url
  await writeCensus({ rows: 20_000, seed: 1, path: join(dir, 'census.parquet') })
  const [earlier, policy] = [join(dir, 'earlier.yaml'), join(dir, 'reticent.yaml')]
  for (const path of [earlier, policy]) {
    const place = `postgres: env:BENCH_LEDGER, schema: ${basename(path, '.yaml')}`
    writeFileSync(path, censusPolicy({ epsilon: `${cap}` }).replace(/sqlite: \S+/, place))
    await createLedgerFor(path, undefined, { owner: database.owner })
  }
  const first = await open(policy)
  for (let i = 0; i < history / 2; i++) await first.ask(ordinaryQuestion(7000 + i), { epsilon: '0.0001' })
  await first.close()

  const children = Array.from({ length: processes }, (_, number) => {
    const own = join(dir, `own-${number}.yaml`)
    writeFileSync(own, censusPolicy({ ledger: `own-${number}.ledger` }))
    const asking: Asking = { own, earlier, policy, number, early }
    return spawn(process.execPath, [import.meta.filename, 'ask', JSON.stringify(asking)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
  })
  const lines = children.map(({ stdout }) => createInterface(stdout)[Symbol.asyncIterator]())
  const all = (): Promise<{ cpu: number; sold: number }[]> =>
    Promise.all(lines.map(async (line) => JSON.parse((await line.next()).value!)))
  const go = () => children.map(({ stdin }) => stdin.write('go\n'))
  await all()
  const serverBefore = processorSeconds(database.database.pid)
  const start = performance.now()
  go()
  const told = await all()
  const seconds = (performance.now() - start) / 1000
  const serverSeconds = processorSeconds(database.database.pid) - serverBefore
  go()
  const last = (await all()).reduce((sum, { sold }) => sum + sold, 0)
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))

  const verdict = await verifyLedger(policy)
  const census = await open(policy)
  const answers = (await census.history()).length
  await census.close()
  check(verdict.ok && verdict.sums === 'kept', 'the ledger does not verify')
  check(last > 0, 'nothing was left for the end')
  const sold = processes * asked
  check(answers === history / 2 + processes + sold + last, `${answers} purchases are in the history`)
  await database.stop()
  rmSync(dir, { recursive: true })
  const cpu = told.reduce((sum, each) => sum + each.cpu, 0)
  const rows = `${history + 2 * processes} to ${history + 2 * (processes + sold)}`
  await report(
    `one ledger in PostgreSQL, ${processes} processes after ${early.own} questions each and ${early.shared} of a shared ledger, ${rows} rows  (load ${loadavg()[0]!.toFixed(1)})`,
    [
      { what: 'answers sold a second, together', value: sold / seconds, unit: '/s', atLeast: 100 },
      { what: 'processor time of an answer, asking', value: (1000 * cpu) / sold, unit: 'ms' },
      { what: 'processor time of an answer, PostgreSQL', value: (1000 * serverSeconds) / sold, unit: 'ms' },
    ],
  )
}
