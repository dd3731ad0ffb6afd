import { divide, one, type Rational, toNumber } from '../../numeric/index.ts'
import type { Integers, LinearQuery, Measurement, NoiseLaw } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import {
  type Charge,
  chargeUnits,
  openAccount,
  scaleFor,
  type Terms,
  type Units,
  unitsToNumber,
} from '../accounting/index.ts'
import type { Exact } from '../exact/index.ts'
import { type Head, measurementId, runHold } from '../ledger/index.ts'
import { checkGrid, type NoisePaths, openPaths, type Revealed } from '../mechanism/index.ts'
import { type Parts, type Quota, reserve } from './reserve.ts'

export interface RunRequest {
  readonly queries: readonly LinearQuery[]
  /** The scales that an answer may come down to, in steps of its query, falling. All start at the first. */
  readonly grid: readonly Rational[]
  /** What the whole run may cost, for every record. */
  readonly epsilon: Rational
}

/**
 * Noisy answers that are revealed step by step, within an ε that is reserved as a whole. What was not closed is spent,
 * and nothing of it enters the history.
 */
export interface Run {
  readonly head: Head
  /** The answers to a query at the scale it has reached. */
  values(query: number): Integers
  /** Where on the grid a query is: 0 when opened. */
  level(query: number): number
  /** Whether the reserved ε allows a query to come down to a level. */
  allows(query: number, level: number): boolean
  /** Lowers a query's noise to a level of the grid or, with 'first-change', to the first one at which a cell changes. */
  lower(query: number, level: number, stop?: 'first-change'): Revealed
  /** Records where every answer came to rest; these charges replace the reservation. */
  close(): Promise<{ readonly measurements: readonly Measurement[]; readonly head: Head }>
}

type ExactAnswers = (queries: readonly LinearQuery[]) => Promise<Exact<Integers>[]>

/** When the exact answers fail after the reservation, the run stays open in the ledger: its ε is held for good. */
export async function openRun(
  request: RunRequest & { analyst: Quota | null; statement: string | null },
  parts: Parts,
  exactAnswers: ExactAnswers,
): Promise<Run> {
  const { queries, grid, epsilon, analyst, statement } = request
  if (queries.length === 0) throw new ReticentError('query-invalid', {}, { message: 'a run needs queries' })
  const upward = grid.toReversed()
  refuseGrid(upward)
  const cost = new RunCost(request, parts)
  const row = { kind: 'run-open', analyst: analyst?.name ?? null, statement, epsilon, queries, grid } as const
  const held = runHold(epsilon)
  const { stored } = await reserve(parts, { row, charges: [], analyst, asked: held, held, shown: cost.charges() })
  const exact = await exactAnswers(queries)
  const paths = exact.map((answer) => openPaths({ exact: answer, grid: upward }))
  return new OpenRun(stored, paths, cost, request, parts)
}

class OpenRun implements Run {
  readonly head: Head
  readonly #paths: readonly NoisePaths[]
  readonly #cost: RunCost
  readonly #request: RunRequest
  readonly #parts: Parts
  #closed = false

  constructor(head: Head, paths: readonly NoisePaths[], cost: RunCost, request: RunRequest, parts: Parts) {
    this.head = { seq: head.seq, hash: head.hash }
    this.#paths = paths
    this.#cost = cost
    this.#request = request
    this.#parts = parts
  }

  values(query: number): Integers {
    return this.#paths[query]!.values()
  }
  level(query: number): number {
    return this.#cost.level(query)
  }
  allows(query: number, level: number): boolean {
    return this.#cost.allows(query, level)
  }

  lower(query: number, level: number, stop?: 'first-change'): Revealed {
    if (this.#closed) throw new RangeError('the run is closed')
    if (!this.#cost.isBelow(query, level)) throw new RangeError('noise is lowered along the grid only')
    // The level asked for must be within the reservation; what counts is the one reached: the levels at which noise
    // changes were drawn without looking at the data.
    if (!this.#cost.allows(query, level)) throw beyondReservation(this.#request.epsilon)
    this.#parts.approve(this.#cost.charges().with(query, this.#cost.charge(query, level)), this.head.seq)
    const last = this.#request.grid.length - 1
    const revealed = this.#paths[query]!.lower(last - level, stop)
    const reached = last - revealed.level
    this.#cost.reach(query, reached)
    return { ...revealed, level: reached }
  }

  async close(): Promise<{ measurements: Measurement[]; head: Head }> {
    if (this.#closed) throw new RangeError('the run is closed')
    this.#closed = true
    const purchases = this.#cost.charges()
    const values = this.#paths.map((path) => path.values())
    const stored = await this.#parts.ledger.append({ kind: 'run-close', open: this.head.seq, purchases, values })
    await this.#parts.book.follow()
    const measurements = purchases.map((bought, i) => ({
      ...bought,
      id: measurementId(this.head.seq, i),
      values: values[i]!,
    }))
    return { measurements, head: { seq: stored!.seq, hash: stored!.hash } }
  }
}

/** What the answers of a run cost at the scales they have reached, held against what was reserved. */
class RunCost {
  readonly #request: RunRequest
  readonly #terms: Terms
  readonly #reserved: Units
  /** The scale, in steps, at which each query alone costs ε = 1. */
  readonly #unitScales: readonly Rational[]
  readonly #levels: Int32Array
  /** Sum of the queries' own prices: a bound that often is enough. */
  #sum: Units

  constructor(request: RunRequest, { book }: Parts) {
    this.#request = request
    this.#terms = { universe: book.universe, privacy: book.terms }
    this.#reserved = chargeUnits(request.epsilon)
    this.#unitScales = request.queries.map((query) => scaleFor(query, one, this.#terms))
    this.#levels = new Int32Array(request.queries.length)
    this.#sum = this.#unitScales.reduce((sum, _, query) => sum + this.#price(query, 0), 0)
    this.#refuseStart()
  }

  level(query: number): number {
    return this.#levels[query]!
  }
  charge(query: number, level: number): { query: LinearQuery; law: Extract<NoiseLaw, { kind: 'laplace' }> } {
    return { query: this.#request.queries[query]!, law: { kind: 'laplace', scale: this.#request.grid[level]! } }
  }
  charges() {
    return this.#request.queries.map((_, query) => this.charge(query, this.#levels[query]!))
  }

  /** Whether a level is one of the grid's that a query has not passed. */
  isBelow(query: number, level: number): boolean {
    return Number.isInteger(level) && level >= this.level(query) && level < this.#request.grid.length
  }
  allows(query: number, level: number): boolean {
    if (!this.isBelow(query, level)) return false
    if (this.#sum - this.#price(query, this.level(query)) + this.#price(query, level) <= this.#reserved) return true
    return this.#worstCell(this.charges().with(query, this.charge(query, level))) <= this.#reserved
  }
  reach(query: number, level: number): void {
    this.#sum += this.#price(query, level) - this.#price(query, this.level(query))
    this.#levels[query] = level
  }

  #price(query: number, level: number): Units {
    return chargeUnits(divide(this.#unitScales[query]!, this.#request.grid[level]!))
  }
  #worstCell(charges: readonly Charge[]): Units {
    return openAccount(this.#terms).with(charges, this.#reserved)
  }
  #refuseStart(): void {
    const needed = this.#sum <= this.#reserved ? this.#sum : this.#worstCell(this.charges())
    if (needed <= this.#reserved) return
    const facts = { needed: unitsToNumber(needed), epsilon: toNumber(this.#request.epsilon) }
    throw new ReticentError('scale-invalid', facts, {
      message: `even with the most noise these answers cost ε = ${facts.needed}, more than the ${facts.epsilon} of the whole run`,
      hint: 'Start from a larger scale, ask for fewer answers, or give the run more.',
    })
  }
}

/** Before anything is charged: a grid that the mechanism would refuse. */
function refuseGrid(upward: readonly Rational[]): void {
  try {
    checkGrid(upward)
  } catch {
    const message = 'the scales of a run must fall from one to the next, and lie between 2^36 and 1/500 of a step'
    throw new ReticentError('scale-invalid', {}, { message })
  }
}

const beyondReservation = (epsilon: Rational) =>
  new ReticentError(
    'budget-exceeded',
    { reserved: toNumber(epsilon) },
    {
      message: 'this would cost more than the run has reserved',
      hint: 'Close the run where it is.',
    },
  )
