import type { Statement } from '../query/index.ts'
import { zeroSpending } from '../trusted/accounting/index.ts'
import type { Plan } from './answer.ts'
import { isSimultaneous } from './compose.ts'
import { leftToAsk, outlook } from './price/budget.ts'
import { kindOf, purchasesOf, totalOf } from './price/choice.ts'
import { costOf } from './price/cost.ts'
import { reportOf } from './price/part-report.ts'
import type { Step } from './question/question.ts'
import { questionFor } from './question/questions.ts'
import { withDomains } from './ratio/domain.ts'
import type { Requirement } from './requirement.ts'
import type { Session } from './session.ts'

/** What it would take to answer, from the policy and the ledger alone. Throws if a guard of the policy refuses it. */
export function plan(asked: Statement, wanted: Requirement, session: Session): Plan {
  const statement = withDomains(asked, session.book.universe)
  const step = questionFor(statement, wanted, { ...session, isPlan: true }).next()
  const notes = [...(statement.notes ?? []), ...(step.kind === 'buy' ? (step.notes ?? []) : [])]
  return {
    query: statement.text,
    confidence: wanted.confidence,
    ...(isSimultaneous(statement, wanted) ? { simultaneous: true } : {}),
    ...planOf(step, wanted, session),
    ...(notes.length > 0 ? { notes } : {}),
  }
}

type Planned = Omit<Plan, 'query' | 'confidence' | 'notes'>

function planOf(step: Step, wanted: Requirement, session: Session): Planned {
  const { book, quota } = session
  if (step.kind === 'answer')
    return { kind: step.material.kind, cost: costOf(zeroSpending, book), ...outlook([], book, quota), parts: [] }
  if (step.kind === 'buy') return planOfPurchase(step, wanted, session)
  const left = leftToAsk(book, quota)
  const cost = step.price ? costOf(step.price, book) : left
  return { kind: 'fresh', cost, raised: cost, affordable: false, left, parts: [] }
}

type Buy = Extract<Step, { kind: 'buy' }>

function planOfPurchase(step: Buy, wanted: Requirement, { book, quota, approve }: Session): Planned {
  const all = [...step.parts, ...(step.later ?? [])]
  const charges = purchasesOf(all).map(({ charge }) => charge)
  approve(charges)
  const budget = outlook(charges, book, quota)
  const cost = step.most ?? costOf(totalOf(all), book)
  const maxEpsilon = ('maxEpsilon' in wanted && wanted.maxEpsilon) || Infinity
  return {
    kind: kindOf(all),
    cost,
    ...(step.most || step.later ? { least: step.least ?? costOf(totalOf(step.parts), book) } : {}),
    ...(step.likely ? { likely: step.likely } : {}),
    ...(step.forThousand ? { forThousand: step.forThousand } : {}),
    ...budget,
    // What follows a first look is not known yet; it raises the amount spent by at most its cost.
    ...(step.most ? { raised: step.most } : {}),
    affordable: budget.affordable && (step.most !== undefined || cost.epsilon <= maxEpsilon),
    parts: all.map((part) => ({ ...reportOf(part, book), within: part.within })),
  }
}
