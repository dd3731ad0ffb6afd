import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { censusPolicy, writeCensus } from '../../evaluation/index.ts'
import { type Answer, createLedgerFor, type Dataset, open } from '../../index.ts'
import { ReticentError } from '../../schema/index.ts'
import { number } from '../format.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions } from '../program.ts'
import { answerText, costText } from './ask.ts'
import { budgetText } from './budget.ts'

interface DemoFlags extends GlobalOptions {
  dir: string
  rows: string
  fresh: boolean
}

/** What the tour asks, each for ε 0.02. */
const tour = [
  'SELECT COUNT(*) FROM census',
  'SELECT COUNT(*) FROM census WHERE age >= 65',
  'SELECT AVG(age) FROM census',
  'SELECT marital_status, COUNT(*) FROM census GROUP BY marital_status ORDER BY 2 DESC',
]

export async function demo({ dir, rows, fresh }: DemoFlags, out: Output): Promise<void> {
  const policy = await prepare(dir, rows, fresh, out)
  const data = await open(policy)
  try {
    const answers: Answer[] = []
    for (const sql of tour) {
      out.note(`\n> ${sql}`)
      const answer = await data.ask(sql, { epsilon: '0.02' })
      answers.push(answer)
      if (!out.json) process.stdout.write(`${answerText(answer)}\n`)
      out.note(costText(answer))
    }
    await farewell(data, policy, answers, out)
  } finally {
    await data.close()
  }
}

/** Makes data, policy and ledger where they are missing; what is there stays, with what was spent. */
async function prepare(dir: string, rows: string, fresh: boolean, out: Output): Promise<string> {
  const count = Number(rows)
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new ReticentError('usage', {}, { message: `--rows must be a whole number above 0, not ${rows}` })
  }
  const policy = join(dir, 'reticent.yaml')
  if (fresh)
    for (const file of [
      'census.parquet',
      'reticent.yaml',
      'reticent.head',
      'census.ledger',
      'census.ledger-wal',
      'census.ledger-shm',
    ])
      rmSync(join(dir, file), { force: true })
  if (existsSync(policy)) return policy
  mkdirSync(dir, { recursive: true })
  out.note(`making up a census of ${number(count)} people in ${dir}/ (public, synthetic data: nobody is in it)`)
  await writeCensus({ rows: count, seed: 1, path: join(dir, 'census.parquet') })
  writeFileSync(policy, censusPolicy())
  await createLedgerFor(policy)
  return policy
}

async function farewell(data: Dataset, policy: string, answers: Answer[], out: Output): Promise<void> {
  const budget = await data.budget()
  out.result({ policy, answers, budget }, `\n${budgetText(budget)}`)
  out.note(`\nNow ask it something yourself:
  ./reticent ask "SELECT education, COUNT(*) FROM census WHERE age < 30 GROUP BY education" --epsilon 0.05 --policy ${policy}
  ./reticent history --policy ${policy}
When the budget is used up: ./reticent demo --fresh`)
}
