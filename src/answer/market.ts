import { attributesOf, keptKey, type LinearQuery, type Measurement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { isAnswer } from '../trusted/accounting/index.ts'
import type { Book, Head } from '../trusted/ledger/index.ts'
import type { Receipt } from '../trusted/meter/index.ts'
import type { PartBought, PartChoice } from './question/question.ts'
import { ReleaseIndex } from './release-index.ts'
import type { Session } from './session.ts'

/** How often a question is planned again because others bought something meanwhile; then it is bought as planned… */
const mostReplans = 8
/** …unless it cannot be: a refinement that others keep buying first. */
const mostAttempts = 32
/** How long to wait for somebody else's purchase of the same query, in milliseconds from its reservation; after that it has probably failed. */
const patience = 5000

/** What was bought in one go, and its receipt. */
interface Bought {
  readonly parts: readonly PartBought[]
  readonly receipt: Receipt
}

/** Buys for one question. If others bought something first, it buys nothing: what they bought may allow a cheaper plan. */
export class Market {
  readonly #session: Session
  readonly #statement: string
  readonly #isPriced: boolean
  #attempts = 0

  /** `isPriced`: the question has a fixed price, whatever the plan. */
  constructor(session: Session, statement: string, isPriced: boolean) {
    this.#session = session
    this.#statement = statement
    this.#isPriced = isPriced
  }

  /** Undefined if others bought something that may allow a cheaper plan: the question must be planned again. */
  async buy(parts: readonly PartChoice[], plannedAt: Head): Promise<Bought | undefined> {
    const { book, meter } = this.#session
    const queries = parts.filter(({ choice }) => choice.kind !== 'free').map(({ query }) => query)
    const relevant = this.#relevant(queries)
    if (this.#attempts < mostReplans && (await othersAnswered(queries, book))) return this.#again()
    const counter = await meter()
    // With many buyers, waiting for a moment without purchases would take long.
    const stands = () => this.#attempts >= mostReplans || this.#relevant(queries) === relevant
    try {
      return await this.#purchase(counter, parts, { plannedAt, stands })
    } catch (error) {
      if (!isOvertaken(error) || this.#attempts >= mostAttempts) throw error
      await book.follow()
      return this.#again()
    }
  }

  /**
   * The releases, recorded or pending, that a plan for these queries can depend on: if they are the same, so is the
   * plan. At a given price these are only releases of the same query, which could be refined; otherwise all that share
   * an attribute.
   */
  #relevant(queries: readonly LinearQuery[]): string {
    const { book } = this.#session
    const keys = new Set(queries.map(keptKey))
    const attributes = new Set(queries.flatMap((query) => attributesOf(query, book.universe)))
    const shares = (query: LinearQuery) => {
      const own = attributesOf(query, book.universe)
      return own.length === 0 || attributes.size === 0 || own.some((name) => attributes.has(name))
    }
    const isRelevant = (query: LinearQuery) => keys.has(keptKey(query)) || (!this.#isPriced && shares(query))
    const some = this.#isPriced ? ReleaseIndex.of(book).about(keys) : book.releases
    return some
      .filter(({ charges }) => charges.some((charge) => !isAnswer(charge) || isRelevant(charge.query)))
      .map(({ seq, state }) => `${seq}:${state}`)
      .join()
  }

  #again(): undefined {
    this.#attempts++
  }

  /** All new measurements together; if there are none, one refinement. */
  async #purchase(
    meter: Awaited<ReturnType<Session['meter']>>,
    parts: readonly PartChoice[],
    planned: { readonly plannedAt: Head; readonly stands: () => boolean },
  ): Promise<Bought> {
    const buyer = { analyst: this.#session.quota, statement: this.#statement, ...planned }
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

const isOvertaken = (error: unknown): error is ReticentError =>
  error instanceof ReticentError && (error.code === 'ledger-moved' || error.code === 'not-refinable')

/**
 * Waits while somebody else's purchase of one of these queries is under way; whether there was one. It depends on the
 * ledger's rows alone, which are public.
 */
async function othersAnswered(queries: readonly LinearQuery[], book: Book): Promise<boolean> {
  const keys = new Set(queries.map(keptKey))
  const isUnderWay = () =>
    ReleaseIndex.of(book).open.some(
      ({ kind, at, charges }) =>
        kind !== 'run-open' &&
        Math.abs(Date.now() - Date.parse(at)) < patience &&
        charges.some((charge) => isAnswer(charge) && keys.has(keptKey(charge.query))),
    )
  if (!isUnderWay()) return false
  for (let pause = 4; isUnderWay(); pause = Math.min(2 * pause, 64)) {
    await new Promise((resume) => setTimeout(resume, pause))
    await book.follow()
  }
  return true
}
