import { compare, type Rational, rational, zero } from '../../numeric/index.ts'
import { type Integers, isInNoiseRange, type LinearQuery, noiseRangeText } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { addUnits, type MeasurementCharge, reachOf, runHold, type Units } from '../accounting/index.ts'
import type { Exact } from '../exact/index.ts'
import type { Head } from '../ledger/index.ts'
import { addNoise } from '../mechanism/index.ts'
import { type Parts, reserve, sameEpoch } from './reserve.ts'
import { type Closing, type ExactAnswers, type OnBehalf, recordRun } from './run.ts'
import { Reservation } from './run-cost.ts'

export interface DrawsRequest {
  readonly queries: readonly LinearQuery[]
  /** What all answers together may cost, for every record. */
  readonly epsilon: Rational
}

/** One answer to one of the queries: with Laplace noise of this scale, in steps. */
export interface Draw {
  readonly query: number
  readonly scale: Rational
}

/**
 * Queries that are answered again and again, each time with noise of its own, within an ε that is reserved as a whole:
 * the data are read once. What was not closed is spent, and nothing of it enters the history.
 */
export interface Draws {
  readonly head: Head
  /** Whether the reserved ε allows these answers, all of them, beside those drawn before. */
  allows(draws: readonly Draw[]): boolean
  draw(draw: Draw): Integers
  /** Records every answer that was drawn, in order; these charges replace the reservation. */
  close(): Promise<Closing>
}

/** When the exact answers fail after the reservation, it stays open in the ledger: its ε is held for good. */
export async function openDraws(
  request: DrawsRequest & OnBehalf,
  parts: Parts,
  exactAnswers: ExactAnswers,
): Promise<Draws> {
  const { queries, epsilon, analyst, statement } = request
  if (queries.length === 0) throw new ReticentError('query-invalid', {}, { message: 'there must be queries to draw' })
  if (compare(epsilon, zero) <= 0) throw new ReticentError('scale-invalid', {}, { message: 'ε must be above 0' })
  const reservation = new Reservation(request, parts)
  const row = { kind: 'run-open', analyst: analyst?.name ?? null, statement, epsilon, queries, grid: null } as const
  const held = runHold(row)
  const reach = reachOf(row, { universe: parts.book.universe, privacy: parts.book.terms })
  const { stored, approved } = await reserve(parts, { row, charges: [], analyst, asked: held, held, shown: [], reach })
  const exact = await exactAnswers(queries)
  return new OpenDraws({ head: stored, exact, queries, reservation, approved, parts })
}

class OpenDraws implements Draws {
  readonly head: Head
  readonly #exact: readonly Exact<Integers>[]
  readonly #queries: readonly LinearQuery[]
  readonly #reservation: Reservation
  readonly #approved: boolean
  readonly #parts: Parts
  readonly #charges: MeasurementCharge[] = []
  readonly #values: Integers[] = []
  /** Of the answers' own prices: often that is enough. */
  #sum: Units = 0
  #closed = false

  constructor(made: {
    head: Head
    exact: readonly Exact<Integers>[]
    queries: readonly LinearQuery[]
    reservation: Reservation
    approved: boolean
    parts: Parts
  }) {
    this.head = { seq: made.head.seq, hash: made.head.hash }
    this.#exact = made.exact
    this.#queries = made.queries
    this.#reservation = made.reservation
    this.#approved = made.approved
    this.#parts = made.parts
  }

  allows(draws: readonly Draw[]): boolean {
    if (!draws.every((draw) => this.#isPossible(draw))) return false
    if (addUnits(this.#sum, this.#priceOf(draws)) <= this.#reservation.units) return true
    return this.#reservation.covers([...this.#charges, ...draws.map((draw) => this.#chargeOf(draw))])
  }

  draw({ query, scale }: Draw): Integers {
    // What is checked is what is charged, drawn and recorded, whatever becomes of the caller's.
    const draw = { query, scale: rational(scale.num, scale.den) }
    if (this.#closed) throw new RangeError('the draws are closed')
    sameEpoch(this.#parts)
    if (!this.#isPossible(draw)) throw new RangeError(`a draw names one of the queries, and a scale ${noiseRangeText}`)
    if (!this.allows([draw])) throw this.#reservation.exceeded()
    const charge = this.#chargeOf(draw)
    // Closed until it is through, as a run is.
    this.#closed = true
    try {
      if (!this.#approved) this.#parts.approve([...this.#charges, charge], this.head.seq)
    } catch (error) {
      this.#closed = false
      throw error
    }
    this.#sum = addUnits(this.#sum, this.#priceOf([draw]))
    this.#charges.push(charge)
    const values = addNoise(this.#exact[query]!, charge.law)
    this.#values.push(values)
    this.#closed = false
    return values.slice()
  }

  async close(): Promise<Closing> {
    if (this.#closed) throw new RangeError('the draws are closed')
    this.#closed = true
    return recordRun(this.head.seq, this.#charges, this.#values, this.#parts)
  }

  #isPossible({ query, scale }: Draw): boolean {
    if (!Number.isInteger(query) || this.#queries[query] === undefined || scale.den <= 0n) return false
    return isInNoiseRange({ kind: 'laplace', scale })
  }
  #chargeOf({ query, scale }: Draw): MeasurementCharge {
    return { kind: 'measurement', query: this.#queries[query]!, law: { kind: 'laplace', scale } }
  }
  #priceOf(draws: readonly Draw[]): Units {
    return draws.reduce((sum, { query, scale }) => addUnits(sum, this.#reservation.price(query, scale)), 0)
  }
}
