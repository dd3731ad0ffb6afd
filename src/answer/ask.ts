import type { Statement } from '../query/index.ts'
import { problem, ReticentError } from '../schema/index.ts'
import { addSpending, type Spending, zeroSpending } from '../trusted/accounting/index.ts'
import type { Answer } from './answer.ts'
import { checkProbability } from './column/probability.ts'
import { type Charged, compose } from './compose.ts'
import { Market } from './market.ts'
import { totalOf } from './price/choice.ts'
import { costOf } from './price/cost.ts'
import { questionFor } from './question/questions.ts'
import { refusal } from './refusal.ts'
import type { Requirement } from './requirement.ts'
import type { Session } from './session.ts'

/** Answers a statement as was required: step by step, each planned by the ledger as it then stands. */
export async function ask(statement: Statement, wanted: Requirement, session: Session): Promise<Answer> {
  checkProbability(statement, wanted.probability)
  try {
    return await answered(statement, wanted, session)
  } catch (error) {
    const isTooDear = error instanceof ReticentError && error.code === 'budget-exceeded'
    const isPrecision = wanted.kind === 'within' || wanted.kind === 'relative'
    throw isTooDear && isPrecision ? refusal(error, statement, wanted, session) : error
  }
}

async function answered(statement: Statement, wanted: Requirement, session: Session): Promise<Answer> {
  const { book } = session
  const question = questionFor(statement, wanted, session)
  const market = new Market(session, statement.text)
  let charged: Charged | undefined
  let paid = zeroSpending
  for (;;) {
    const plannedAt = book.head
    const step = question.next()
    if (step.kind === 'refuse') throw step.error
    if (step.kind === 'answer') return compose(statement, wanted, { ...step.material, charged }, session)
    checkPrice(addSpending(paid, totalOf(step.parts)), wanted, session)
    const bought = await market.buy(step.parts, plannedAt)
    if (!bought) continue
    const { receipt, parts } = bought
    question.learn(parts)
    charged = { before: charged?.before ?? receipt.before, after: receipt.after, head: receipt.head }
    paid = addSpending(paid, totalOf(parts))
  }
}

/** Refuses a purchase that costs more than the one who asks allows. */
function checkPrice(price: Spending, wanted: Requirement, { book }: Session): void {
  const most = 'maxEpsilon' in wanted ? wanted.maxEpsilon : undefined
  const { epsilon } = costOf(price, book)
  if (most === undefined || epsilon <= most) return
  throw problem(
    'budget-exceeded',
    `this precision costs ε = ${epsilon}, and only ${most} was allowed`,
    'Ask for less precision, or allow more with --max-epsilon.',
    { asked: epsilon, most },
  )
}
