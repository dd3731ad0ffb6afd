import { open } from '../../index.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { answerText } from '../text/answer.ts'
import { costText } from '../text/cost.ts'
import { madeOfText } from '../text/made-of.ts'
import { planText } from '../text/plan.ts'

interface AskFlags extends GlobalOptions {
  within?: string
  relative?: string
  floor?: string
  maxEpsilon?: string
  epsilon?: string
  free: boolean
  confidence: string
  allWithin: boolean
  probability?: string
  explain: boolean
  plan: boolean
  as?: string
}

/**
 * A question in SQL, answered with noise. What it costs is charged before the data are read; earlier answers are used first.
 * The answer goes to stdout, its cost and receipt to stderr, so that `> file` holds the answer alone.
 *
 *     reticent ask "SELECT COUNT(*) FROM census WHERE age >= 65" --within 150
 *     18,578   (95% sure: 18,428 … 18,728)
 *     fresh · cost ε 0.019905 · spent 0.019905 · left 0.980095
 */
export async function ask(sql: string, flags: AskFlags, out: Output, signal?: AbortSignal): Promise<void> {
  // A picture is for people who look: not for programs, and not for what a pipe or a file takes.
  const density = process.stdout.isTTY && !out.json ? 50 : undefined
  const { policy, json: _, plan: isPlan, ...asked } = flags
  const options = { ...asked, confidence: Number(flags.confidence), density, signal }
  const data = await open(policy)
  try {
    if (isPlan) {
      const plan = await data.plan(sql, options)
      await out.result(plan, planText(plan))
    } else {
      const answer = await data.ask(sql, options)
      await out.result(answer, answerText(answer, flags.probability))
      if (answer.madeOf) await out.note(madeOfText(answer.madeOf, out.width))
      await out.note(costText(answer))
    }
  } finally {
    await data.close()
  }
}
