import { type Dataset, open } from '../../index.ts'
import { shortened } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { answerText } from '../text/answer.ts'
import { answerCsv } from '../text/answer-csv.ts'
import { costText } from '../text/cost.ts'
import { madeOfText } from '../text/made-of.ts'
import { planText } from '../text/plan.ts'

/** How a question is to be answered, as typed. */
export interface Questioning {
  within?: string
  relative?: string
  floor?: string
  maxEpsilon?: string
  epsilon?: string
  free: boolean
  confidence: string
  allWithin: boolean
  always: boolean
  probability?: string
  explain: boolean
  plan: boolean
  as?: string
  /** Said below the answer unless false. */
  receipt?: boolean
}
type AskFlags = GlobalOptions & Questioning

/**
 * Questions in SQL, answered with noise. What each costs is charged before the data are read; earlier answers are used first.
 * The answer goes to stdout, its cost and receipt to stderr, so that `> file` holds the answer alone.
 *
 *     reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --within 150
 *     18,578   (95% sure: 18,428 … 18,728)
 *     fresh · cost ε 0.019905 · spent 0.019905 · left 0.980095
 */
export async function ask(
  questions: readonly string[],
  { policy, json: _, ...flags }: AskFlags,
  out: Output,
  signal?: AbortSignal,
): Promise<void> {
  const data = await open(policy)
  try {
    for (const [i, sql] of questions.entries()) {
      if (out.format === 'csv' && i > 0) await out.part('')
      if (questions.length > 1) await out.note(`${i > 0 ? '\n' : ''}> ${shortened(sql, out.width - 2)}`)
      await askOne(data, sql, flags, out, signal)
    }
  } finally {
    await data.close()
  }
}

/** One question to an opened table, or with `plan` what it would cost. */
export async function askOne(
  data: Dataset,
  sql: string,
  { plan: isPlan, receipt, ...flags }: Questioning,
  out: Output,
  signal?: AbortSignal,
): Promise<void> {
  // A picture is for people who look: not for programs, and not for what a pipe or a file takes.
  const density = process.stdout.isTTY && out.format === 'table' ? 50 : undefined
  const options = { ...flags, confidence: Number(flags.confidence), density, signal }
  if (isPlan) {
    const plan = await data.plan(sql, options)
    await out.result(plan, planText(plan))
    return
  }
  const answer = await data.ask(sql, options)
  await out.result(answer, answerText(answer, flags.probability, out.width), answerCsv(answer))
  if (answer.short) await out.note('less precise than requested: this is the best that the price allows')
  if (answer.madeOf) await out.note(madeOfText(answer.madeOf, out.width))
  await out.note(costText(answer, receipt))
}
