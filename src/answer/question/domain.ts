import { errorLawByCharacteristic } from '../../inference/index.ts'
import { axisSizes, type Statement } from '../../query/index.ts'
import { zeroSpending } from '../../trusted/accounting/index.ts'
import type { Estimate } from '../answer.ts'
import { cutAtPossible } from '../column/possible.ts'
import { estimate, possibleOf } from '../column/silence.ts'
import type { KnownPart } from '../known/known-part.ts'
import { reportOf } from '../price/part-report.ts'
import { ReleaseIndex } from '../release-index.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'
import { FreeQuestion } from './free.ts'
import type { Question, Step } from './question.ts'

/**
 * What the policy alone tells, at no cost: an average lies in its domain, a count between 0 and a public number of records. Where earlier answers tell
 * more, it is their answer.
 */
class DomainQuestion implements Question {
  readonly #earlier: FreeQuestion
  readonly #step: Step

  constructor(statement: Statement, parts: readonly KnownPart[], session: Session) {
    this.#earlier = new FreeQuestion(statement, session)
    const reports = statement.parts.map((query) =>
      reportOf({ query, choice: { kind: 'free', known: [] } }, session.book),
    )
    this.#step = { kind: 'answer', material: { kind: 'free', parts, reports } }
  }

  next(): Step {
    const earlier = this.#earlier.next()
    return earlier.kind === 'answer' ? earlier : this.#step
  }

  learn(): void {}
}

/** The question for a precision that the policy alone has; undefined if it does not, or something else is asked besides. */
export function domainQuestion(statement: Statement, wanted: Within, session: Session): Question | undefined {
  if (wanted.probability || wanted.always || statement.having || statement.orderBy.some(({ by }) => by.kind !== 'key'))
    return undefined
  const { book } = session
  const cut = cutAtPossible(statement, ReleaseIndex.of(book).publicRecords)
  const told = statement.columns.flatMap((column) =>
    column.kind === 'key'
      ? []
      : cut(column.expression)(estimate(null, possibleOf(column.expression, statement.parts.length))),
  )
  const isEnough = ({ interval: [low, high] }: Estimate) =>
    low !== null && high !== null && high - low <= 2 * wanted.within
  if (told.length === 0 || !told.every(isEnough)) return undefined
  const parts = statement.parts.map((query): KnownPart => {
    const groups = axisSizes(query, book.universe).reduce((product, size) => product * size, 1)
    return { values: new Float64Array(groups), errorLaw: () => noLaw, sources: () => [], price: zeroSpending }
  })
  return new DomainQuestion(statement, parts, session)
}

/** Of an estimate that may be off by anything. */
const noLaw = { ...errorLawByCharacteristic([]), variance: Infinity, blur: Infinity, halfWidth: () => Infinity }
