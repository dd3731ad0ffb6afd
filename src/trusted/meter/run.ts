import type { Rational } from '../../numeric/index.ts'
import { type Grid, type Integers, isGrid, type LinearQuery, type Measurement, scaleAt } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { addUnits, type MeasurementCharge, reachOf, runHold, type Units, unitsAbove } from '../accounting/index.ts'
import type { Exact } from '../exact/index.ts'
import { type Head, measurementId, type Sold } from '../ledger/index.ts'
import { type NoisePaths, openPaths, type Revealed, upward } from '../mechanism/index.ts'
import { type Parts, type Quota, reserve, sameEpoch } from './reserve.ts'
import { Reservation } from './run-cost.ts'

export interface RunRequest {
  readonly queries: readonly LinearQuery[]
  /** The scales that an answer may come down to, in steps of its query. All start at the first. */
  readonly grid: Grid
  /** What the whole run may cost, for every record. */
  readonly epsilon: Rational
}

/** What a run left in the history. */
export interface Closing {
  readonly measurements: readonly Measurement[]
  readonly head: Head
}

/**
 * Noisy answers that are revealed step by step, within an ε that is reserved as a whole. If the run is never closed,
 * the whole reservation is spent and nothing enters the history.
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
  /** Records the final scale of every answer; these charges replace the reservation. */
  close(): Promise<Closing>
}

export interface OnBehalf {
  readonly analyst: Quota | null
  readonly statement: string | null
  /** The ledger's head that the run was planned at, if it must not have moved. */
  readonly plannedAt?: Head
}

/** If computing the exact answers fails after the reservation, the run stays open in the ledger and its ε is held for good. */
export async function openRun(
  request: RunRequest & OnBehalf,
  parts: Parts,
  exactAnswers: (queries: readonly LinearQuery[]) => Promise<Exact<Integers>[]>,
): Promise<Run> {
  const { queries, grid, epsilon, analyst, statement, plannedAt } = request
  if (queries.length === 0) throw new ReticentError('query-invalid', {}, { message: 'a run needs queries' })
  const scales = scalesOf(grid)
  const cost = new RunCost(request, new Reservation(request, parts))
  const row = { kind: 'run-open', analyst: analyst?.name ?? null, statement, epsilon, queries, grid } as const
  const held = runHold(row)
  const shown = cost.charges()
  const reach = () => reachOf(row, { universe: parts.book.universe, privacy: parts.book.terms })
  const bill = { row, charges: [], analyst, asked: held, held, shown, reach, plannedAt }
  const { stored, approved } = await reserve(parts, bill)
  const exact = await exactAnswers(queries)
  return new OpenRun({ head: stored, paths: openPaths({ exact, grid: scales }), cost, approved, parts })
}

class OpenRun implements Run {
  readonly head: Head
  readonly #paths: readonly NoisePaths[]
  readonly #cost: RunCost
  readonly #parts: Parts
  /** Whether everything that the run may ever reveal was approved when it was opened. */
  readonly #approved: boolean
  /** The step that was approved last. With 'first-change' the same step is requested many times. */
  #lastApproved: string | undefined
  #closed = false

  constructor(made: { head: Head; paths: readonly NoisePaths[]; cost: RunCost; approved: boolean; parts: Parts }) {
    this.head = { seq: made.head.seq, hash: made.head.hash }
    this.#paths = made.paths
    this.#cost = made.cost
    this.#approved = made.approved
    this.#parts = made.parts
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
    sameEpoch(this.#parts)
    if (!this.#cost.isBelow(query, level)) throw new RangeError('noise is lowered along the grid only')
    // The level asked for must be within the reservation; what counts is the one reached: the levels at which noise
    // changes were drawn without looking at the data.
    if (!this.#cost.allows(query, level)) throw this.#cost.exceeded()
    // Closed while this is in progress: callbacks cannot re-enter, and if anything fails after noise was lowered, the
    // run is never recorded and all of its ε stays spent.
    this.#closed = true
    try {
      if (!this.#approved) this.#approve(query, level)
    } catch (error) {
      this.#closed = false
      throw error
    }
    const { last } = this.#cost
    const { level: fromBelow, count, cells, values } = this.#paths[query]!.lower(last - level, stop)
    const reached = last - fromBelow
    this.#cost.reach(query, reached)
    this.#closed = false
    return { level: reached, count, cells, values }
  }

  /** Asks the guards whether a query may go down to a level: once, as long as neither the run nor the ledger has changed. */
  #approve(query: number, level: number): void {
    const step = `${query} ${level} ${this.#parts.book.head.hash}`
    if (step === this.#lastApproved) return
    this.#parts.approve(this.#cost.charges().with(query, this.#cost.charge(query, level)), this.head.seq)
    this.#lastApproved = step
  }

  async close(): Promise<Closing> {
    if (this.#closed) throw new RangeError('the run is closed')
    this.#closed = true
    return recordRun(
      this.head.seq,
      this.#cost.charges().map(({ query, law }) => ({ query, law })),
      this.#paths.map((path) => path.values()),
      this.#parts,
    )
  }
}

/** Writes the result of a run: its charges replace the reservation. */
export async function recordRun(
  open: number,
  sold: readonly Sold[],
  values: readonly Integers[],
  { ledger, book }: Parts,
): Promise<Closing> {
  const stored = await ledger.append({ kind: 'run-close', open, purchases: sold, values })
  await book.follow()
  const measurements = sold.flatMap((one, i) =>
    one.kind === undefined ? [{ id: measurementId(open, i), query: one.query, law: one.law, values: values[i]! }] : [],
  )
  return { measurements, head: { seq: stored!.seq, hash: stored!.hash } }
}

/** What the answers of a run cost at the scales they have reached, compared with the reservation. */
class RunCost {
  readonly last: number
  readonly #request: RunRequest
  readonly #reservation: Reservation
  readonly #levels: Int32Array
  /** The grid and each query's scale at price 1, as doubles. */
  readonly #near: EvenDoubles
  readonly #unitScales: Float64Array
  /** A bound on each query's own price at its level, and their sum: often that is enough. */
  readonly #bounds: Float64Array
  #sum: Units

  constructor(request: RunRequest, reservation: Reservation) {
    const { queries, grid } = request
    this.last = grid.count - 1
    this.#request = request
    this.#reservation = reservation
    this.#near = new EvenDoubles(grid)
    this.#levels = new Int32Array(queries.length)
    this.#unitScales = Float64Array.from(queries, (_, query) => reservation.nearUnitScale(query))
    this.#bounds = Float64Array.from(queries, (_, query) => this.#bound(query, 0))
    this.#sum = this.#bounds.reduce(addUnits, 0)
    if (!(this.#sum <= reservation.units)) reservation.refuseStart(this.charges())
  }

  level(query: number): number {
    return this.#levels[query]!
  }
  charge(query: number, level: number): MeasurementCharge {
    const { queries, grid } = this.#request
    return { kind: 'measurement', query: queries[query]!, law: { kind: 'laplace', scale: scaleAt(grid, level) } }
  }
  charges() {
    return this.#request.queries.map((_, query) => this.charge(query, this.#levels[query]!))
  }
  exceeded(): ReticentError {
    return this.#reservation.exceeded()
  }

  /** Whether a level is one of the grid's that a query has not passed. */
  isBelow(query: number, level: number): boolean {
    // Both must be plain numbers: an object could return a different one each time.
    return Number.isInteger(query) && Number.isInteger(level) && level >= this.level(query) && level <= this.last
  }
  allows(query: number, level: number): boolean {
    if (!this.isBelow(query, level)) return false
    if (this.#sum - this.#bounds[query]! + this.#bound(query, level) <= this.#reservation.units) return true
    return this.#reservation.covers(this.charges().with(query, this.charge(query, level)))
  }
  reach(query: number, level: number): void {
    const bound = this.#bound(query, level)
    this.#sum = addUnits(this.#sum, bound - this.#bounds[query]!)
    this.#bounds[query] = bound
    this.#levels[query] = level
  }

  /**
   * Whole units, never below the query's own price: both doubles are within 2^-50 of what they stand for, so the quotient
   * is within 2^-48. Sums of whole units are exact, or infinite.
   */
  #bound(query: number, level: number): Units {
    return unitsAbove(this.#unitScales[query]! / this.#near.at(level))
  }
}

/** The scales of a grid as doubles, each within 2^-50 of what it stands for. */
class EvenDoubles {
  readonly #first: number
  readonly #step: number
  readonly #denominator: number
  /** Where the numerators are too large for doubles to be exact. */
  readonly #exact: Grid | undefined

  constructor(grid: Grid) {
    const { first, step } = grid
    const [numerator, by, denominator] = [first.num * step.den, step.num * first.den, first.den * step.den]
    this.#first = Number(numerator)
    this.#step = Number(by)
    this.#denominator = Number(denominator)
    if (numerator > BigInt(Number.MAX_SAFE_INTEGER)) this.#exact = grid
  }
  at(level: number): number {
    if (!this.#exact) return (this.#first - level * this.#step) / this.#denominator
    const { num, den } = scaleAt(this.#exact, level)
    return Number(num) / Number(den)
  }
}

/** More levels than anybody needs, and few enough to be kept in memory. */
const mostLevels = 2 ** 24

/** Before anything is charged: a grid that the mechanism would refuse. */
function scalesOf(grid: Grid): ReturnType<typeof upward> {
  try {
    if (isGrid(grid) && grid.count <= mostLevels) return upward(grid)
  } catch {}
  const message = 'the scales of a run must fall from one to the next, and lie between 2^36 and 1/500 of a step'
  throw new ReticentError('scale-invalid', {}, { message })
}
