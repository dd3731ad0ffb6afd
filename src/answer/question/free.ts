import type { Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { mostSteps } from '../knowledge.ts'
import { jointFromHistory } from '../known/joint.ts'
import { fromHistory } from '../known/known-part.ts'
import { reportOf } from '../price/part-report.ts'
import type { Session } from '../session.ts'
import type { Question, Step } from './question.ts'

/** The best answer that costs nothing. */
export class FreeQuestion implements Question {
  readonly #statement: Statement
  readonly #session: Session

  constructor(statement: Statement, session: Session) {
    this.#statement = statement
    this.#session = session
  }

  next(): Step {
    const { book, knowledge } = this.#session
    const queries = this.#statement.parts
    if (!queries.every((query) => knowledge.isUsed(query))) return { kind: 'refuse', error: tooManyGroups() }
    const known = queries.map((query) => knowledge.about(query))
    if (!known.every((cells) => cells !== undefined)) return { kind: 'refuse', error: undetermined() }
    const reports = queries.map((query) => reportOf({ query, choice: { kind: 'free', known: [] } }, book))
    const parts = known.map((cells) => fromHistory(cells))
    return { kind: 'answer', material: { kind: 'free', parts, reports, joint: jointFromHistory(queries, knowledge) } }
  }

  learn(): void {}
}

const undetermined = () =>
  problem(
    'not-estimable',
    'earlier answers do not determine this',
    'Buy it: --within W for a precision, or --epsilon E for a price. Or let a model estimate it, without an interval: --model kernel.',
  )

const tooManyGroups = () =>
  problem(
    'not-estimable',
    `estimating each of these groups from earlier answers would take more than ${mostSteps.toLocaleString('en')} steps`,
    'Ask for fewer groups at once, or buy them: --within W for a precision, or --epsilon E for a price.',
    { limit: mostSteps },
  )
