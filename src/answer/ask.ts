import { fromNumber, toNumber } from '../numeric/index.ts'
import type { Statement } from '../query/index.ts'
import { problem, ReticentError } from '../schema/index.ts'
import { addSpending, epsilonOfRho, type Spending, unitsToNumber, zeroSpending } from '../trusted/accounting/index.ts'
import type { Answer } from './answer.ts'
import { checkProbability } from './column/probability.ts'
import { type Charged, compose } from './compose.ts'
import { Market } from './market.ts'
import { isAffordable } from './price/budget.ts'
import { purchasesOf, totalOf } from './price/choice.ts'
import { costOf } from './price/cost.ts'
import { heldFor } from './price/held-for.ts'
import type { PartChoice } from './question/question.ts'
import { questionFor } from './question/questions.ts'
import { withDomains } from './ratio/domain.ts'
import { refusal } from './refusal.ts'
import type { Requirement } from './requirement.ts'
import type { Session } from './session.ts'

/** Answers a statement as required, step by step; each step is planned on the current state of the ledger. */
export async function ask(asked: Statement, wanted: Requirement, session: Session): Promise<Answer> {
  const statement = withDomains(asked, session.book.universe)
  checkProbability(statement, wanted.probability)
  try {
    const answer = () => answered(statement, wanted, session)
    return await (asksPrecision(wanted) ? inTurn(session.book, statement.text, answer) : answer())
  } catch (error) {
    const isTooDear = error instanceof ReticentError && error.code === 'budget-exceeded'
    throw isTooDear && asksPrecision(wanted) ? refusal(error, statement, wanted, session) : error
  }
}

const asksPrecision = (wanted: Requirement): wanted is Requirement & { kind: 'within' | 'relative' } =>
  wanted.kind === 'within' || wanted.kind === 'relative'

/** For each book: the last of those who are asking a statement right now. */
const turns = new WeakMap<Session['book'], Map<string, Promise<unknown>>>()

/**
 * Identical questions asked at the same time run one after the other: a precision may take several purchases, and the
 * second asker would pay for what is free a moment later.
 */
async function inTurn<T>(book: Session['book'], statement: string, work: () => Promise<T>): Promise<T> {
  const waiting = turns.get(book) ?? new Map<string, Promise<unknown>>()
  turns.set(book, waiting)
  const turn = (waiting.get(statement) ?? Promise.resolve()).then(work)
  const over = turn.catch(() => undefined)
  waiting.set(statement, over)
  try {
    return await turn
  } finally {
    if (waiting.get(statement) === over) waiting.delete(statement)
  }
}

async function answered(statement: Statement, wanted: Requirement, session: Session): Promise<Answer> {
  const { book } = session
  let question = questionFor(statement, wanted, session)
  const market = new Market(session, statement.text, wanted.kind === 'price')
  let charged: Charged | undefined
  let paid = zeroSpending
  let short = false
  for (;;) {
    const plannedAt = book.head
    const step = question.next()
    if (step.kind === 'refuse') throw step.error
    if (step.kind === 'answer')
      return compose(statement, wanted, { ...step.material, ...(short && { short }), charged }, session)
    const most = 'maxEpsilon' in wanted ? wanted.maxEpsilon : undefined
    if (most !== undefined && costOf(addSpending(paid, totalOf(step.parts)), book).epsilon > most && !short) {
      short = true
      if (charged && question.spend?.(restOf(most, paid, book))) continue
      const best = charged ? question.sofar?.() : undefined
      if (best) return compose(statement, wanted, { ...best, short: true, charged }, session)
      if (charged) throw tooDear(addSpending(paid, totalOf(step.parts)), most, session)
      question = questionFor(statement, { ...wanted, kind: 'price', epsilon: fromNumber(most) }, session)
      continue
    }
    if (charged && !isAffordable(chargesOf(step.parts), book, session.quota)) {
      // Return what was paid for: that is better than a refusal.
      const best = question.sofar?.()
      if (best) return compose(statement, wanted, { ...best, short: true, charged }, session)
    }
    const bought = await market.buy(step.parts, plannedAt)
    if (!bought) continue
    const { receipt, parts } = bought
    question.learn(parts)
    charged = { before: charged?.before ?? receipt.before, after: receipt.after, head: receipt.head }
    paid = addSpending(paid, totalOf(parts))
  }
}

const chargesOf = (parts: readonly PartChoice[]) => purchasesOf(parts).map(({ charge }) => charge)

/** What is left of a price, as an ε; rounded down to twelve digits. */
function restOf(most: number, paid: Spending, book: Session['book']): number {
  const rest = book.cap.rho === null ? most - costOf(paid, book).epsilon : restInRho(most, paid, book)
  return Math.floor(rest * 1e12) / 1e12
}

function restInRho(most: number, { rho }: Spending, book: Session['book']): number {
  const left = toNumber(heldFor(fromNumber(most), book).rho!) - unitsToNumber(rho)
  return left > 0 ? epsilonOfRho(left, book.terms.delta) * (1 - 1e-9) : 0
}

/** Together with what was bought before, a purchase would cost more than the asker allows. */
function tooDear(price: Spending, most: number, { book }: Session): ReticentError {
  const { epsilon } = costOf(price, book)
  return problem(
    'budget-exceeded',
    `this precision costs ε = ${epsilon}, but only ${most} is allowed`,
    'Ask for less precision, or allow more with --max-epsilon.',
    { asked: epsilon, most },
  )
}
