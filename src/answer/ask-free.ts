import type { Statement } from '../query/index.ts'
import type { Answer } from './answer.ts'
import { checkProbability } from './column/probability.ts'
import { compose } from './compose.ts'
import { questionFor } from './question/questions.ts'
import { withDomains } from './ratio/domain.ts'
import type { Requirement } from './requirement.ts'
import type { Session } from './session.ts'

/**
 * The answer if earlier ones meet the requirement; undefined if something would have to be bought, or might be refused
 * depending on what others buy meanwhile. Never opens the data.
 */
export function askFree(asked: Statement, wanted: Requirement, session: Session): Answer | undefined {
  const statement = withDomains(asked, session.book.universe)
  checkProbability(statement, wanted.probability)
  const step = questionFor(statement, wanted, session).next()
  if (step.kind === 'answer') return compose(statement, wanted, step.material, session)
  if (step.kind === 'refuse' && wanted.kind === 'free') throw step.error
  return undefined
}
