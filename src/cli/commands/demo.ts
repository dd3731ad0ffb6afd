import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { censusPolicy, writeCensus } from '../../evaluation/index.ts'
import { type Answer, type AskOptions, createLedgerFor, type Dataset, open } from '../../index.ts'
import { problem, stopIfAborted } from '../../schema/index.ts'
import { number } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { answerText } from '../text/answer.ts'
import { budgetText } from '../text/budget.ts'
import { costText } from '../text/cost.ts'
import { serveDemo } from './demo-server.ts'

interface DemoFlags extends Pick<GlobalOptions, 'json'> {
  dir: string
  rows: string
  fresh: boolean
  /** Default: only in a terminal. */
  serve?: boolean
}

/** A census of this size fills some gigabytes. */
const mostRows = 1_000_000_000

/** What the tour asks: a precision or a price for each, and why it is there. */
const tour: { readonly sql: string; readonly options: AskOptions; readonly why: string }[] = [
  {
    sql: 'SELECT COUNT(*) FROM census WHERE age >= 65',
    options: { within: 150 },
    why: 'a count, within ±150 (--within 150)',
  },
  {
    sql: 'SELECT marital_status, COUNT(*) FROM census GROUP BY marital_status ORDER BY 1',
    options: { within: 150 },
    why: 'a table costs as much as one count: each person is in one row only',
  },
  {
    sql: 'SELECT COUNT(*) FROM census',
    options: { within: 500 },
    why: 'the table above already answers this: it costs nothing',
  },
  {
    sql: 'SELECT COUNT(*) FROM census WHERE age >= 65',
    options: { within: 75 },
    why: 'the first count again, twice as precise: only the difference costs',
  },
  { sql: 'SELECT AVG(age) FROM census', options: { epsilon: '0.02' }, why: 'an average, for a price (--epsilon 0.02)' },
]

/**
 * A first look without your own data: generates a census, with a policy and a ledger, and asks a few questions that
 * show what is bought, what is free and what is refined. A second run continues with what is left of the budget.
 *
 *     reticent demo --rows 1000000 --dir /tmp/census
 */
export async function demo(flags: DemoFlags, out: Output, signal: AbortSignal): Promise<void> {
  const policy = await prepare(flags, out, signal)
  await guide(policy, out, signal)
  const isWatched = process.stdout.isTTY === true && !out.json
  if (flags.serve ?? isWatched) await serveDemo(policy, flags.dir, out, signal)
}

/** Asks the questions of the tour, one by one. */
async function guide(policy: string, out: Output, signal: AbortSignal): Promise<void> {
  const data = await open(policy)
  try {
    const answers: Answer[] = []
    for (const { sql, options, why } of tour) {
      await out.note(`\n# ${why}\n> ${sql}`)
      const answer = await data.ask(sql, { ...options, signal })
      answers.push(answer)
      await out.part(answerText(answer))
      await out.note(costText(answer))
    }
    await farewell(data, policy, answers, out)
  } finally {
    await data.close()
  }
}

/** Makes data, policy and ledger where they are missing; what is there stays, with what was spent. */
async function prepare({ dir, rows, fresh }: DemoFlags, out: Output, signal?: AbortSignal): Promise<string> {
  const count = Number(rows)
  if (!/^\d+$/.test(rows) || count < 1 || count > mostRows) {
    const message = `--rows must be a whole number from 1 to ${number(mostRows)}, not ${JSON.stringify(rows)}`
    throw problem('usage', message, undefined, { flag: '--rows' })
  }
  const policy = join(dir, 'reticent.yaml')
  if (fresh)
    for (const file of [
      'census.parquet',
      'reticent.yaml',
      'reticent.head',
      'reticent.yaml.head',
      'census.ledger',
      'census.ledger-journal',
      'census.ledger-wal',
      'census.ledger-shm',
      'reticent.yaml.jobs',
      'server.log',
    ])
      rmSync(join(dir, file), { force: true, recursive: true })
  if (!existsSync(policy)) {
    mkdirSync(dir, { recursive: true })
    await out.note(
      `generating a census of ${number(count)} people in ${dir}/ (public, synthetic data: nobody is in it)`,
    )
    await writeCensus({ rows: count, seed: 1, path: join(dir, 'census.parquet') })
    stopIfAborted(signal, 'The demo is not ready.')
    writeFileSync(policy, censusPolicy())
  }
  if (!existsSync(join(dir, 'census.ledger'))) await createLedgerFor(policy, signal)
  return policy
}

async function farewell(data: Dataset, policy: string, answers: Answer[], out: Output): Promise<void> {
  const budget = await data.budget()
  // A clone has the command in its folder; an installed package has it on the path.
  const command = existsSync('reticent')
    ? './reticent'
    : process.env.npm_command === 'exec'
      ? 'npx reticent'
      : 'reticent'
  await out.result({ policy, answers, budget }, ['', ...budgetText(budget)])
  await out.note(`\nNow ask it something yourself:
  ${command} ask "SELECT education, COUNT(*) FROM census WHERE age < 30 GROUP BY education" --within 200 --policy ${policy}
  ${command} history --policy ${policy}
Or make a synthetic table of it (some ten seconds):
  ${command} synth --epsilon 0.3 --out census.csv --policy ${policy}
When the budget is used up: ${command} demo --fresh`)
}
