import type { Statement } from '../../query/index.ts'
import { needsOf } from '../price/needs.ts'
import { checkWidths } from '../price/widths.ts'
import { QuantileQuestion, restOf, withoutQuantiles } from '../quantile/question.ts'
import { RatioQuestion } from '../ratio/question.ts'
import type { Requirement } from '../requirement.ts'
import type { Session } from '../session.ts'
import { domainQuestion } from './domain.ts'
import { FreeQuestion } from './free.ts'
import { PriceQuestion } from './price.ts'
import type { Question } from './question.ts'
import { RelativeQuestion } from './relative.ts'
import { checkSize } from './size.ts'
import { WithinQuestion } from './within.ts'

type Of<K extends Requirement['kind']> = Extract<Requirement, { kind: K }>
type Questions = { [K in Requirement['kind']]: (statement: Statement, wanted: Of<K>, session: Session) => Question }

/** The ways of asking, by what is required. */
const questions: Questions = {
  free: (statement, _, session) => new FreeQuestion(statement, session),
  price: (statement, wanted, session) => new PriceQuestion(statement, wanted, session),
  within: (statement, wanted, session) => {
    const known = domainQuestion(statement, wanted, session)
    if (known) return known
    const needs = needsOf(statement, wanted)
    checkWidths(statement, wanted, needs, session.book)
    return needs.ratios.length > 0
      ? new RatioQuestion(statement, wanted, needs, session)
      : new WithinQuestion(statement, wanted, needs, session)
  },
  relative: (statement, wanted, session) => new RelativeQuestion(statement, wanted, session),
}

export function questionFor(statement: Statement, wanted: Requirement, session: Session): Question {
  checkSize(statement)
  if (statement.quantiles) return quantileQuestion(statement, wanted, session)
  return (questions[wanted.kind] as Questions['free'])(statement, wanted as Of<'free'>, session)
}

/** The rest of the statement is asked as if the quantiles were not there, for its share of the price. */
function quantileQuestion(statement: Statement, wanted: Requirement, session: Session): Question {
  const others = withoutQuantiles(statement)
  const own = wanted.kind === 'price' ? { ...wanted, epsilon: restOf(wanted.epsilon, statement, session.book) } : wanted
  const rest = others.parts.length === 0 ? new FreeQuestion(others, session) : questionFor(others, own, session)
  return new QuantileQuestion(statement, wanted, session, rest)
}
