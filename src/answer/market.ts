import type { LinearQuery, Measurement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { isAnswer } from '../trusted/accounting/index.ts'
import type { Book, Head } from '../trusted/ledger/index.ts'
import type { Receipt } from '../trusted/meter/index.ts'
import { keyOf } from './price/same-query.ts'
import type { PartBought, PartChoice } from './question/question.ts'
import type { Session } from './session.ts'

/** So often a question is planned again because others bought something meanwhile; then it is bought as planned… */
const mostReplans = 8
/** …unless it cannot be: a refinement that others keep being quicker with. */
const mostAttempts = 32
/** Another's purchase of the same is waited for until it is so old, in milliseconds: it will hardly come any more. */
const patience = 5000

/** What was bought in one go, and its receipt. */
interface Bought {
  readonly parts: readonly PartBought[]
  readonly receipt: Receipt
}

/** Buys for one question. Where others were quicker it buys nothing: what they bought may make a cheaper plan. */
export class Market {
  readonly #session: Session
  readonly #statement: string
  #attempts = 0

  constructor(session: Session, statement: string) {
    this.#session = session
    this.#statement = statement
  }

  /** Undefined where the ledger has moved, and the question is to be planned again. */
  async buy(parts: readonly PartChoice[], plannedAt: Head): Promise<Bought | undefined> {
    const { book, meter } = this.#session
    const queries = parts.filter(({ choice }) => choice.kind !== 'free').map(({ query }) => query)
    if (this.#attempts < mostReplans && (await othersAnswered(queries, book))) return this.#again()
    const counter = await meter()
    try {
      return await this.#purchase(counter, parts, this.#attempts < mostReplans ? plannedAt : undefined)
    } catch (error) {
      if (!isOvertaken(error) || this.#attempts >= mostAttempts) throw error
      await book.follow()
      return this.#again()
    }
  }

  #again(): undefined {
    this.#attempts++
  }

  /** All new measurements together; where there are none, one refinement. */
  async #purchase(
    meter: Awaited<ReturnType<Session['meter']>>,
    parts: readonly PartChoice[],
    plannedAt: Head | undefined,
  ): Promise<Bought> {
    const buyer = { analyst: this.#session.quota, statement: this.#statement, plannedAt }
    const fresh = parts.filter(({ choice }) => choice.kind === 'fresh' || choice.kind === 'combined')
    if (fresh.length > 0) {
      const charges = fresh.flatMap(({ choice }) => (choice.kind === 'free' ? [] : [choice.charge]))
      return boughtBy(fresh, await meter.measure({ charges, ...buyer }))
    }
    const [refined] = parts.filter(({ choice }) => choice.kind === 'refined')
    if (refined?.choice.kind !== 'refined') throw new RangeError('there is nothing to buy')
    const { parent, charge } = refined.choice
    return boughtBy([refined], await meter.refine({ parent, law: charge.law, ...buyer }))
  }
}

const boughtBy = (parts: readonly PartChoice[], receipt: Receipt): Bought => ({
  parts: parts.map((part, i) => ({ ...part, measurement: receipt.measurements[i] as Measurement })),
  receipt,
})

const isOvertaken = (error: unknown): boolean =>
  error instanceof ReticentError && (error.code === 'ledger-moved' || error.code === 'not-refinable')

/**
 * Waits while somebody else's purchase of one of these queries is under way; whether there was one. It depends on the
 * ledger's rows alone, which are public.
 */
async function othersAnswered(queries: readonly LinearQuery[], book: Book): Promise<boolean> {
  const keys = new Set(queries.map(keyOf))
  const isUnderWay = () =>
    book.releases.some(
      ({ state, kind, at, charges }) =>
        state === 'open' &&
        kind !== 'run-open' &&
        Math.abs(Date.now() - Date.parse(at)) < patience &&
        charges.some((charge) => isAnswer(charge) && keys.has(keyOf(charge.query))),
    )
  if (!isUnderWay()) return false
  for (let pause = 4; isUnderWay(); pause = Math.min(2 * pause, 64)) {
    await new Promise((resume) => setTimeout(resume, pause))
    await book.follow()
  }
  return true
}
