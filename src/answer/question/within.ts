import type { Statement } from '../../query/index.ts'
import { confidenceFor } from '../compose.ts'
import { fromHistory, fromMeasurement, type KnownPart } from '../known/known-part.ts'
import { narrower } from '../known/narrower.ts'
import { blurFor, cheapest } from '../price/cheapest.ts'
import { kindOf } from '../price/choice.ts'
import type { Needs } from '../price/needs.ts'
import { reportOf } from '../price/part-report.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'
import type { PartBought, PartChoice, Question, Step } from './question.ts'

/** Parts within half-widths: from the history where that is enough, else by the cheapest purchase that makes it so. */
export class WithinQuestion implements Question {
  readonly #statement: Statement
  readonly #needs: Needs['parts']
  readonly #session: Session
  readonly #confidence: number
  readonly #bought = new Map<number, PartBought>()

  constructor(statement: Statement, wanted: Within, needs: Needs, session: Session) {
    this.#statement = statement
    this.#needs = needs.parts
    this.#session = session
    this.#confidence = confidenceFor(statement, wanted)
  }

  next(): Step {
    const { book, knowledge } = this.#session
    const queries = this.#statement.parts
    const parts = queries.map((query, part) => this.#bought.get(part) ?? this.choiceFor(part, query))
    if (parts.some(({ part, choice }) => choice.kind !== 'free' && !this.#bought.has(part)))
      return { kind: 'buy', parts: parts.filter(({ part }) => !this.#bought.has(part)) }
    const kind = kindOf(parts)
    const material = {
      kind,
      parts: parts.map((part) => this.known(part)),
      reports: parts.map((part) => reportOf(part, book)),
      notConsulted: kind !== 'free' && !queries.every((query) => knowledge.isConsulted(query)),
    }
    return { kind: 'answer', material }
  }

  learn(bought: readonly PartBought[]): void {
    for (const part of bought) this.#bought.set(part.part, part)
  }

  /** The cheapest way to one part, as the history stands. */
  choiceFor(part: number, query: Statement['parts'][number]): PartChoice {
    const within = this.#needs[part]!
    const precision = { confidence: this.#confidence, within }
    return { part, query, within, choice: cheapest(query, precision, this.#session) }
  }

  /** The history's estimate or the measurement alone, whichever is narrower: the laws decide, not the answers. */
  known({ choice, query, within, ...bought }: PartChoice | PartBought): KnownPart {
    const blur = blurFor(within)
    if (choice.kind === 'free') return fromHistory(choice.known, blur)
    if (!('measurement' in bought)) throw new RangeError('it was not bought')
    const alone = fromMeasurement(bought.measurement, choice.price)
    const after = this.#session.knowledge.about(query)
    return after ? narrower(fromHistory(after, blur), alone, this.#confidence).part : alone
  }
}
