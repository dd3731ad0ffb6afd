import type { Measurement, Statement } from '../../query/index.ts'
import { measurementCharge } from '../../trusted/accounting/index.ts'
import type { Kind } from '../answer.ts'
import { affineOf } from '../column/affine.ts'
import { halfWidth } from '../column/interval.ts'
import { confidenceFor, type Material } from '../compose.ts'
import { type Joint, jointFromHistory, jointOfParts } from '../known/joint.ts'
import { fromHistory, fromMeasurement, type KnownPart } from '../known/known-part.ts'
import { narrower } from '../known/narrower.ts'
import { bestOffer } from '../price/best-offer.ts'
import { isAffordable } from '../price/budget.ts'
import { kindOf, purchasesOf } from '../price/choice.ts'
import { reportOf } from '../price/part-report.ts'
import { priceParts } from '../price/priced-part.ts'
import { checkEpsilon } from '../price/range.ts'
import type { Priced } from '../requirement.ts'
import type { Session } from '../session.ts'
import type { PartBought, PartChoice, Question, Step } from './question.ts'

/** As precise as a price makes it: bought, and combined with the history where that is narrower. */
export class PriceQuestion implements Question {
  readonly #statement: Statement
  readonly #wanted: Priced
  readonly #session: Session
  readonly #confidence: number
  readonly #bought = new Map<number, PartBought>()

  constructor(statement: Statement, wanted: Priced, session: Session) {
    this.#statement = statement
    this.#wanted = wanted
    this.#session = session
    this.#confidence = confidenceFor(statement, wanted)
  }

  next(): Step {
    const parts = this.#offers()
    const missing = parts.filter(({ part, choice }) => choice.kind !== 'free' && !this.#bought.has(part))
    if (missing.length > 0) return { kind: 'buy', parts: parts.filter(({ part }) => !this.#bought.has(part)) }
    return { kind: 'answer', material: this.#material(parts) }
  }

  learn(bought: readonly PartBought[]): void {
    for (const part of bought) this.#bought.set(part.part, part)
  }

  /** What the price buys of each part; those that were bought stay as they are. */
  #offers(): PartChoice[] {
    const { book, quota } = this.#session
    const { epsilon } = this.#wanted
    const priced = priceParts(this.#statement, epsilon, book)
    checkEpsilon(epsilon, priced, book)
    const offers = priced.map((part, i): PartChoice => {
      const offer = () => bestOffer(part, this.#confidence, this.#session)
      return this.#bought.get(i) ?? { part: i, query: part.query, ...offer() }
    })
    const charges = purchasesOf(offers.filter(({ part }) => !this.#bought.has(part))).map(({ charge }) => charge)
    if (isAffordable(charges, book, quota)) return offers
    // Refinements are bought one by one: where not all can be had, all are asked for at once, to be refused at once.
    return offers.map((offer, i): PartChoice => {
      if (this.#bought.has(i)) return offer
      const { price, ...part } = priced[i]!
      const choice = { kind: 'fresh', charge: measurementCharge(priced[i]!), price } as const
      return { part: i, query: part.query, choice, within: halfWidth(part, this.#confidence) }
    })
  }

  #material(parts: readonly PartChoice[]): Material {
    const { book, knowledge } = this.#session
    const queries = this.#statement.parts
    const best = this.#best(parts)
    const isAlone = best.kind === 'fresh' || best.kind === 'refined'
    return {
      ...best,
      reports: parts.map((part) => reportOf(part, book)),
      notConsulted: isAlone && !queries.every((query) => knowledge.isConsulted(query)),
    }
  }

  /** The measurements alone, or what the history says with them, where that is nowhere wider: the laws decide. */
  #best(choices: readonly PartChoice[]): { kind: Kind; parts: KnownPart[]; joint?: Joint } {
    const { knowledge } = this.#session
    const queries = this.#statement.parts
    const measured = choices.map(({ part }): Measurement | undefined => this.#bought.get(part)?.measurement)
    const alone = choices.map(({ choice }, i) =>
      choice.kind === 'free' ? fromHistory(choice.known) : fromMeasurement(measured[i]!, choice.price),
    )
    const independent = jointOfParts(
      queries.map((query, i) => measured[i] ?? ({ query, law: { kind: 'none' } } as const)),
    )
    const told = queries.map((query) => knowledge.about(query))
    const both = alone.map((part, i) => (told[i] ? narrower(fromHistory(told[i]), part, this.#confidence) : undefined))
    const usesHistory = both.some((of) => of?.isNarrower)
    const bought = kindOf(choices)
    const kind = bought === 'refined' || bought === 'free' ? bought : usesHistory ? 'combined' : 'fresh'
    if (this.#isLinear()) return { kind, parts: alone.map((part, i) => both[i]?.part ?? part), joint: independent }
    // A ratio needs both parts from one source, with one law of their errors.
    if (!usesHistory || !both.every((of) => of?.isNowhereWider))
      return { kind: bought === 'combined' ? 'fresh' : bought, parts: alone, joint: independent }
    const parts = told.map((known, i) => ({ ...fromHistory(known!), price: alone[i]!.price }))
    return { kind, parts, joint: jointFromHistory(queries, knowledge) }
  }

  #isLinear(): boolean {
    return this.#statement.columns.every((column) => column.kind === 'key' || affineOf(column.expression))
  }
}
