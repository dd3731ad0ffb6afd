// One budget for many: 16 processes ask at once, all from one ledger in PostgreSQL, and then go on until it is spent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { censusPolicy, writeCensus } from '../src/evaluation/index.ts'
import { createLedgerFor, open, verifyLedger } from '../src/index.ts'
import { ledgerDatabase } from '../test/support/postgres-ledger.ts'
import { processorSeconds } from './counted-postgres.ts'
import { check, report } from './harness.ts'
import { ordinaryQuestion } from './ordinary-questions.ts'

/** Fewer, with a longer history, or after another number of questions: `node bench/postgres-ledger.bench.ts 4 2000 300`. */
const processes = Number(process.argv[2]) || 16
/** Rows that are there before. */
const history = Number(process.argv[3]) || 0
/**
 * Each has asked so many questions of a ledger of its own before: as a process that runs for long has, and as one that has just been
 * started, which still spends a third of its time on compiling.
 */
const usualEarly = [600, 100]
/** So many it asks then. */
const asked = 40
const price = 0.001
/** More than all of these cost; what is left is spent at a hundred times the price. */
const cap = 2

const [mode, policyOfChild = '', own = '', who = '', before = ''] = process.argv.slice(2)
if (mode === 'ask') await askInTurns(policyOfChild, own, Number(who), Number(before))
else for (const early of process.argv[4] ? [Number(process.argv[4])] : usualEarly) await main(early)

/** Says `ready`, waits for a line, asks and tells what it took; waits for another, and asks until nothing is left. */
async function askInTurns(policy: string, warmUp: string, number: number, early: number): Promise<void> {
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]()
  const say = (told: object) => process.stdout.write(`${JSON.stringify(told)}\n`)
  await createLedgerFor(warmUp)
  const before = await open(warmUp, { warm: true })
  for (let i = 0; i < early; i++) await before.ask(ordinaryQuestion(10_000 + i), { epsilon: `${price}` })
  await before.close()
  const census = await open(policy, { warm: true })
  await census.ask(ordinaryQuestion(9_000 + number), { epsilon: `${price}` })
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

async function main(early: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'postgres-ledger-bench-'))
  const database = await ledgerDatabase()
  process.env.BENCH_LEDGER = database.url
  const policy = join(dir, 'reticent.yaml')
  await writeCensus({ rows: 20_000, seed: 1, path: join(dir, 'census.parquet') })
  writeFileSync(policy, censusPolicy({ epsilon: `${cap}` }).replace(/sqlite: \S+/, 'postgres: env:BENCH_LEDGER'))
  await createLedgerFor(policy, undefined, { owner: database.owner })
  const first = await open(policy)
  for (let i = 0; i < history / 2; i++) await first.ask(ordinaryQuestion(7000 + i), { epsilon: '0.0001' })
  await first.close()

  const children = Array.from({ length: processes }, (_, i) => {
    const own = join(dir, `own-${i}.yaml`)
    writeFileSync(own, censusPolicy({ ledger: `own-${i}.ledger` }))
    return spawn(process.execPath, [import.meta.filename, 'ask', policy, own, `${i}`, `${early}`], {
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
    `one ledger in PostgreSQL, ${processes} processes after ${early} questions each, ${rows} rows  (load ${loadavg()[0]!.toFixed(1)})`,
    [
      { what: 'answers sold a second, together', value: sold / seconds, unit: '/s', atLeast: 100 },
      { what: 'processor time of an answer, asking', value: (1000 * cpu) / sold, unit: 'ms' },
      { what: 'processor time of an answer, PostgreSQL', value: (1000 * serverSeconds) / sold, unit: 'ms' },
    ],
  )
}
