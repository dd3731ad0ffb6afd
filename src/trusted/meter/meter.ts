import type { Measurement } from '../../query/index.ts'
import { checkQuery } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { type Charge, price, type Units, unitsToNumber } from '../accounting/index.ts'
import type { Engine } from '../engine/index.ts'
import type { Exact } from '../exact/index.ts'
import { type Book, type Head, type Ledger, measurementId, type StoredRow } from '../ledger/index.ts'
import { addNoise } from '../mechanism/index.ts'
import { checkSource } from './source.ts'

export interface Request {
  readonly charges: readonly Charge[]
  /** Whose quota it comes from as well; null where the policy names no analysts. */
  readonly analyst: Quota | null
  /** The SQL that asks, for the record. */
  readonly statement: string | null
}
/** An analyst's own cap, on top of the dataset's. */
export interface Quota {
  readonly name: string
  readonly cap: Units
}

export interface Receipt {
  readonly measurements: readonly Measurement[]
  /** The sum of the charges' own prices. */
  readonly cost: Units
  /** By how much the dataset's bound rose. */
  readonly raised: Units
  /** The ledger's head once the answers were recorded. */
  readonly head: Head
}

/**
 * The one door between the private data and the world. It reserves, durably; then it asks for the exact answer; then
 * it blurs it; then it records; then it returns. What fails after the reservation loses budget, never privacy.
 */
export class Meter {
  readonly #book: Book
  readonly #ledger: Ledger
  readonly #engine: Engine
  readonly #approve: Approve
  readonly #epoch: number

  constructor(parts: { book: Book; ledger: Ledger; engine: Engine; approve: Approve }) {
    this.#book = parts.book
    this.#ledger = parts.ledger
    this.#engine = parts.engine
    this.#approve = parts.approve
    this.#epoch = parts.book.epochs
  }

  /** Buys these measurements, all or none. */
  async measure(request: Request): Promise<Receipt> {
    const terms = { universe: this.#book.universe, privacy: this.#book.terms }
    for (const { query } of request.charges) checkQuery(query, terms.universe)
    const cost = request.charges.reduce((sum, charge) => sum + price(charge, terms), 0)
    await checkSource(this.#engine, this.#ledger, this.#book.fingerprint)

    const { reserved, raised } = await this.#reserve(request, cost)
    const exact = await this.#exactAnswers(request, reserved)
    const values = request.charges.map(({ law }, i) => addNoise(exact[i]!, law))
    const recorded = await this.#ledger.append({ kind: 'record', reserve: reserved.seq, values })
    await this.#book.follow()

    const measurements = request.charges.map((charge, i) => ({
      ...charge,
      id: measurementId(reserved.seq, i),
      values: values[i]!,
    }))
    return { measurements, cost, raised, head: recorded! }
  }

  /** Checks and reserves as one step: when another process has appended in between, it checks again. */
  async #reserve(request: Request, cost: Units): Promise<{ reserved: StoredRow; raised: Units }> {
    const { charges, analyst, statement } = request
    for (;;) {
      await this.#book.follow()
      const head = this.#book.head
      if (this.#book.epochs !== this.#epoch) throw epochOver()
      const before = this.#book.spent()
      const after = this.#within(this.#book.cap, request, cost)
      if (analyst) this.#within(analyst.cap, request, cost, analyst.name)
      this.#approve(charges)
      const row = { kind: 'reserve', analyst: analyst?.name ?? null, statement, purchases: charges } as const
      const reserved = await this.#ledger.append(row, head)
      if (reserved) return { reserved, raised: Math.max(0, after - before) }
    }
  }

  /** The bound with these charges; throws when it is above the cap. */
  #within(cap: Units, { charges }: Request, cost: Units, analyst?: string): Units {
    const bound = this.#book.spentWith(charges, cap, analyst)
    if (bound <= cap) return bound
    const left = unitsToNumber(Math.max(0, cap - this.#book.spent(analyst)))
    const facts = { asked: unitsToNumber(cost), left, cap: unitsToNumber(cap), ...(analyst ? { analyst } : {}) }
    throw new ReticentError('budget-exceeded', facts, {
      message: `this question costs ε = ${facts.asked}, and ${left} is left of ${analyst ? `${analyst}'s` : 'the'} budget of ${facts.cap}`,
      hint:
        left > 0
          ? `Ask with --epsilon ${left} or less; the answer will be noisier.`
          : 'Nothing is left to spend; only the owner can raise the cap (reticent ledger cap).',
    })
  }

  async #exactAnswers({ charges }: Request, reserved: StoredRow): Promise<Exact<Measurement['values']>[]> {
    try {
      return await this.#engine.answer(charges.map(({ query }) => query))
    } catch (error) {
      // The charge stands: that the engine failed may itself depend on the data. The row is for the reader's comfort.
      await this.#ledger.append({ kind: 'void', reserve: reserved.seq }).catch(() => undefined)
      throw error
    }
  }
}

const epochOver = () =>
  new ReticentError(
    'policy-changed',
    {},
    {
      message: 'the owner has begun a new epoch since this dataset was opened',
      hint: 'Open it again, with the policy as it is now.',
    },
  )

/** Says no, by throwing, to a purchase that would tell too much about a guarded query; from public values alone. */
export type Approve = (charges: readonly Charge[]) => void
