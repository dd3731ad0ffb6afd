import {
  answerStarts,
  checkQueries,
  type Integers,
  isInNoiseRange,
  type LinearQuery,
  lawFromJson,
  lawToJson,
  MarginalList,
  type Measurement,
  maxAnswerSize,
  type NoiseLaw,
  noiseRangeText,
  type QueryList,
} from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { type AnswerCharge, measurementCharge, priceInBoth, type Spending, sumSpending } from '../accounting/index.ts'
import type { Engine, Snapshot } from '../engine/index.ts'
import type { Exact, ExactAnswers } from '../exact/index.ts'
import { formatReceipt, frozen, type Head, measurementId, type Purchase } from '../ledger/index.ts'
import { addNoise, refine } from '../mechanism/index.ts'
import type { Draws, DrawsRequest } from './draws.ts'
import { ownQueries } from './own-queries.ts'
import { type Bill, type Parts, type Quota, requirePlanned, reserve, sameEpoch } from './reserve.ts'
import { openDraws } from './reserve-draws.ts'
import { openRun, type Run, type RunRequest } from './run.ts'
import { checkSource } from './source.ts'

/** On whose behalf something is bought. */
interface Buyer {
  /** The analyst whose quota is charged as well; null if the policy names no analysts. */
  readonly analyst: Quota | null
  /** The SQL that asks, for the record. */
  readonly statement: string | null
  /** The ledger's head at planning time: if it has moved, nothing is bought (`ledger-moved`)… */
  readonly plannedAt?: Head
  /** …unless this says that the plan is still good for the current book. */
  readonly stands?: () => boolean
}
interface Request extends Buyer {
  readonly charges: readonly Purchase[]
}
interface Refinement extends Buyer {
  /** Id of a measurement with Laplace noise that has not been refined yet. */
  readonly parent: string
  readonly law: NoiseLaw
}

export interface Receipt {
  readonly measurements: readonly Measurement[]
  /** The charges' own prices, added up. */
  readonly cost: Spending
  /** What the dataset had spent before, and has spent with this. */
  readonly before: Spending
  readonly after: Spending
  /** The ledger's head once the answers were recorded. */
  readonly head: Head
}

/**
 * The only code that turns private data into public numbers. It reserves the cost, durably; then computes the exact
 * answer, adds noise, records the result and returns it. A failure after the reservation loses budget, never privacy.
 */
export class Meter {
  readonly #parts: Parts
  readonly #engine: Engine

  /** `epoch` is the one whose attributes the engine encodes records with: in any other epoch this meter sells nothing. */
  constructor({ engine, ...parts }: Parts & { engine: Engine }) {
    this.#parts = parts
    this.#engine = engine
  }

  /** Buys these measurements, all or none. */
  async measure({ stands, ...request }: Request): Promise<Receipt> {
    // A private copy: exactly what is charged is queried and noised, even if the caller changes its objects meanwhile.
    const { charges, analyst, statement, plannedAt } = frozen(structuredClone(request))
    // What was already paid is taken from the ledger, not from the caller.
    const purchases = charges.map(({ query, law }) => ({ query, law: lawFromJson(lawToJson(law)) }))
    this.#checkQueries(purchases.map(({ query }) => query))
    for (const { law } of purchases) checkLaw(law)
    const source = await this.#checkSource('quick')
    const row = { kind: 'reserve', analyst: analyst?.name ?? null, statement, purchases } as const
    return this.#buy(purchases.map(measurementCharge), source, { row, analyst, plannedAt, stands }, (exact) =>
      purchases.map(({ law }, i) => addNoise(exact[i]!, law)),
    )
  }

  /** Buys a more precise version of a measurement, for the difference in ε, on exactly the same data. */
  async refine({ stands, ...request }: Refinement): Promise<Receipt> {
    const { parent, law, analyst, statement, plannedAt } = frozen(structuredClone(request))
    const { book } = this.#parts
    await book.follow()
    // Reading all of the data takes time: do not do it for a plan that is already out of date.
    requirePlanned(book, { plannedAt, stands })
    checkLaw(law)
    if (!book.canRefine) throw notRefinable('the source keeps no snapshot of the data that were measured')
    const released = book.measurement(parent)
    if (!released) throw notRefinable(`there is no measurement ${JSON.stringify(parent)} in this epoch`)
    if (law.kind !== 'laplace' || released.law.kind !== 'laplace')
      throw notRefinable('only Laplace noise can be refined')
    const refuse = () => {
      if (book.isRefined(parent))
        throw notRefinable(`measurement ${parent} has already been refined, which is possible only once`)
    }
    refuse()
    const [from, to] = [released.law.scale, law.scale]
    const source = await this.#checkSource('full')
    const row = { kind: 'refine', analyst: analyst?.name ?? null, statement, parent, law } as const
    const charge = { kind: 'refinement', query: released.query, law, paid: released.law } as const
    return this.#buy([charge], source, { row, analyst, refuse, plannedAt, stands }, ([exact]) => [
      refine({ exact: exact!, released: released.values, from, to }),
    ])
  }

  /** Reserves a whole ε and opens noisy answers that are revealed step by step. */
  async openRun(given: RunRequest & Buyer): Promise<Run> {
    const own = ownRequest(given)
    const request = { ...own, queries: [...own.queries] }
    this.#checkQueries(request.queries)
    const source = await this.#checkSource('quick')
    return openRun(request, this.#parts, (queries) => this.#exactAnswers(source, queries))
  }

  /** Reserves a whole ε or ρ and opens queries that can be answered repeatedly and chosen among. */
  async openDraws(given: DrawsRequest & Buyer): Promise<Draws> {
    const request = ownRequest(given)
    this.#checkQueries(request.queries)
    const source = await this.#checkSource('quick')
    return openDraws(request, this.#parts, (queries) => this.#exactList(source, queries))
  }

  async #buy(
    charges: readonly AnswerCharge[],
    source: Snapshot,
    bill: Pick<Bill, 'row' | 'analyst' | 'refuse' | 'plannedAt' | 'stands'>,
    blur: (exact: readonly Exact<Integers>[]) => Integers[],
  ): Promise<Receipt> {
    const { universe, terms: privacy } = this.#parts.book
    const cost = sumSpending(charges.map((charge) => priceInBoth(charge, { universe, privacy })))
    const { stored, before, after } = await reserve(this.#parts, { ...bill, charges, asked: cost })
    const queries = charges.map(({ query }) => query)
    const values = await this.#orVoid(stored.seq, async () => blur(await source.answer(queries)))
    const head = await this.#record(stored, values)
    const measurements = charges.map(({ query, law }, i) => ({
      id: measurementId(stored.seq, i),
      query,
      law,
      values: values[i]!,
    }))
    return { measurements, cost, before, after: tighter(after, this.#parts.book.spent()), head }
  }

  /**
   * The answers, only from the snapshot that was checked before the reservation: a record that changed meanwhile would
   * be charged in one cell but affect two. The snapshot was checked for this epoch.
   */
  async #exactAnswers(source: Snapshot, queries: readonly LinearQuery[]): Promise<Exact<Integers>[]> {
    const exact = await source.answer(queries)
    await this.#requireEpoch()
    return exact
  }

  /** The same for a run's queries, of which there may be half a million. */
  async #exactList(source: Snapshot, queries: QueryList): Promise<ExactAnswers<Integers>> {
    if (!(queries instanceof MarginalList && source.marginals)) return this.#exactAnswers(source, [...queries])
    const exact = await source.marginals(queries)
    await this.#requireEpoch()
    return exact
  }

  /** Refuses, before anything is charged, what the engine would refuse after. */
  #checkQueries(queries: QueryList): void {
    const { universe } = this.#parts.book
    checkQueries(queries, universe)
    if (answerStarts(queries, universe).at(-1)! <= maxAnswerSize) return
    throw new ReticentError(
      'query-invalid',
      { most: maxAnswerSize },
      {
        message: `the answers would have more than ${maxAnswerSize} cells together`,
        hint: 'Group by fewer attributes.',
      },
    )
  }

  /** For the epoch as far as it is known here: the reservation looks again. */
  async #checkSource(depth: 'quick' | 'full'): Promise<Snapshot> {
    sameEpoch(this.#parts)
    const { book, ledger } = this.#parts
    return checkSource(this.#engine, ledger, book.fingerprint, depth)
  }

  async #requireEpoch(): Promise<void> {
    await this.#parts.book.follow()
    sameEpoch(this.#parts)
  }

  async #orVoid<T>(reserved: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      // The charge stands, since the failure itself may depend on the data. The row only informs readers of the ledger.
      await this.#parts.ledger.append({ kind: 'void', reserve: reserved }).catch(() => undefined)
      throw error
    }
  }

  /** What was measured for an epoch that has ended meanwhile is neither recorded nor returned: the ledger refuses it. */
  async #record(paid: Head, values: readonly Integers[]): Promise<Head> {
    const row = { kind: 'record', reserve: paid.seq, values } as const
    const { ledger, book } = this.#parts
    const stored = await ledger
      .append(row)
      .catch((error) => this.#sayWhetherEpoch(error))
      .catch((error) => {
        throw unrecorded(error, paid)
      })
    await book.follow('known')
    return { seq: stored!.seq, hash: stored!.hash }
  }

  /** Throws that a new epoch has begun, where that is why a row does not fit; otherwise what was thrown before. */
  async #sayWhetherEpoch(error: unknown): Promise<never> {
    if (error instanceof ReticentError && error.code === 'ledger-refused') await this.#requireEpoch()
    throw error
  }
}

/** A private copy of what a run was asked for; there may be many queries. */
function ownRequest<R extends { readonly queries: QueryList }>({ queries, ...rest }: R): R {
  return { ...frozen(structuredClone(rest)), queries: ownQueries(queries) } as R
}

/** The check stops as soon as the cap is known to be kept; what is spent now may include what others have bought since. */
const tighter = (checked: Spending, now: Spending): Spending => ({
  epsilon: Math.min(checked.epsilon, now.epsilon),
  rho: Math.min(checked.rho, now.rho),
})

/** An answer that could not be recorded is not returned, because later answers could not build on it. Its charge stands. */
function unrecorded(error: unknown, paid: Head): unknown {
  if (!(error instanceof ReticentError)) return error
  const facts = Object.assign({}, error.facts, { charged: paid.seq, receipt: formatReceipt(paid) })
  return new ReticentError(error.code, facts, {
    message: `this was paid for in row ${paid.seq} of the ledger, but its answer could not be recorded and is lost`,
    detail: [error.message, error.detail].filter(Boolean).join('\n'),
    hint: `${error.hint ? `${error.hint} ` : ''}The charge stands, and \`reticent history\` shows it as open; asking again is charged again.`,
  })
}

/** Refuses, before anything is charged, noise so large that it hides everything or so small that it hides nothing. */
function checkLaw(law: NoiseLaw): void {
  if (isInNoiseRange(law)) return
  throw new ReticentError('scale-invalid', {}, { message: `the noise of an answer must lie ${noiseRangeText}` })
}

const notRefinable = (message: string) =>
  new ReticentError('not-refinable', {}, { message, hint: 'Ask the question anew instead.' })
