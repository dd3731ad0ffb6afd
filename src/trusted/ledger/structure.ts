import { compare, one, type Rational, type Spans, spansSize, zero } from '../../numeric/index.ts'
import {
  answerSize,
  checkQueries,
  type Integers,
  isGrid,
  levelOf,
  type NoiseLaw,
  type QueryList,
  queryKey,
} from '../../query/index.ts'
import { type Attribute, ReticentError, type Universe, universe } from '../../schema/index.ts'
import type { StoredRow } from './ledger.ts'
import type { Kind, Of } from './rows/encode.ts'
import { ownKeys } from './rows/own-keys.ts'
import type { Purchase, Row, RunOpen, Score, Selection, Sold } from './rows/row.ts'

/** The id of a measurement: the row that paid for it (a reservation, a refinement, a run's opening) and its place there. */
export const measurementId = (paidBy: number, position: number): string => `${paidBy}.${position}`

/** A row that does not fit what comes before it, and why; public. */
export interface Fault {
  readonly seq: number
  readonly fault: string
}

/** All rows that do not fit the ones before them. */
export function verifyRows(rows: Iterable<StoredRow>): Fault[] {
  const structure = new Structure()
  const faults: Fault[] = []
  for (const { seq, row } of rows) {
    const fault = structure.accept(seq, row)
    if (fault !== undefined) faults.push({ seq, fault })
  }
  return faults
}

/** A vector of noisy answers that was paid for. */
interface Paid {
  readonly size: number
  readonly law: NoiseLaw
}
/** A choice or a distance: one number, which cannot be refined. */
const oneNumber = { size: 1, law: undefined } as const

/**
 * Which rows may come next. Only what is open or can be refined in the current epoch counts: a new epoch ends
 * everything before it. So does a restored copy, because the lost rows may include the record, or another refinement.
 * Costs are checked by the accountant, not here.
 */
export class Structure {
  #universe: Universe | undefined
  /** Reservations and refinements without a record, by row. */
  readonly #owed = new Map<number, readonly Paid[]>()
  /** Runs without a close, by row. */
  readonly #runs = new Map<number, RunOpen>()
  /** Recorded measurements without a refinement, by id. */
  readonly #refinable = new Map<string, Paid>()
  /** The row that was last found to fit, until another is taken in: looking at one of half a million queries takes time. */
  #fits: Row | undefined

  /** Takes in the row, or says why it does not fit and stays as it was. */
  accept(seq: number, row: Row): string | undefined {
    const fault = this.fault(row)
    if (fault === undefined) (this.#take[row.kind] as (row: Row, seq: number) => void)(row, seq)
    this.#fits = undefined
    return fault
  }

  /** Why this row cannot come next; undefined when it can. */
  fault(row: Row): string | undefined {
    if (row === this.#fits) return undefined
    const fault = this.#faultOf(row)
    this.#fits = fault === undefined ? row : undefined
    return fault
  }

  #faultOf(row: Row): string | undefined {
    if ((row.kind === 'create') !== (this.#universe === undefined))
      return row.kind === 'create' ? 'a ledger is created once' : 'a ledger begins with its creation'
    return (this.#faults[row.kind] as (row: Row) => string | undefined)(row)
  }

  readonly #faults: { [K in Kind]: (row: Of<K>) => string | undefined } = {
    create: ({ privacy: { epsilon, delta } }) => capFault(epsilon, delta),
    reserve: ({ purchases }) => (purchases.length === 0 ? 'nothing is bought' : this.#purchasesFault(purchases)),
    record: ({ reserve, values }) => {
      const owed = this.#owed.get(reserve)
      if (!owed) return `row ${reserve} is not a reservation of this epoch that waits for its record`
      return sizesFault(owed, values)
    },
    refine: ({ parent, law }) => {
      const paid = this.#refinable.get(parent)
      if (!paid) return `${JSON.stringify(parent)} is not a recorded measurement of this epoch without a refinement`
      return lowers(law, paid.law) ? undefined : 'a refinement must lower the scale of Laplace noise'
    },
    'run-open': ({ epsilon, rho, queries, grid }) => {
      if (compare(rho ?? epsilon, zero) <= 0) return 'a run must reserve a positive ε or ρ'
      if (rho && grid) return 'noise is lowered along a grid within an ε'
      if (queries.length === 0) return 'a run needs queries'
      if (grid && !isGrid(grid)) return 'a grid must hold positive scales, descending'
      return this.#queriesFault(queries)
    },
    'run-close': ({ open, purchases, values }) => {
      const run = this.#runs.get(open)
      if (!run) return `row ${open} is not a run of this epoch that waits for its close`
      return closeFault(run, purchases, values) ?? sizesFault(this.#sold(purchases), values)
    },
    void: ({ reserve }) =>
      this.#owed.has(reserve)
        ? undefined
        : `row ${reserve} is not a reservation of this epoch that waits for its record`,
    epoch: () => undefined,
    cap: ({ epsilon, delta }) => capFault(epsilon, delta),
    guards: () => undefined,
    restore: ({ epsilon, rho }) =>
      compare(epsilon ?? zero, zero) >= 0 && compare(rho ?? zero, zero) >= 0 ? undefined : 'a loss is never below 0',
  }

  readonly #take: { [K in Kind]: (row: Of<K>, seq: number) => void } = {
    create: ({ attributes }) => this.#begin(attributes),
    reserve: ({ purchases }, seq) => this.#owed.set(seq, this.#paid(purchases)),
    record: ({ reserve }) => {
      this.#keep(reserve, this.#owed.get(reserve)!)
      this.#owed.delete(reserve)
    },
    refine: ({ parent, law }, seq) => {
      this.#owed.set(seq, [{ size: this.#refinable.get(parent)!.size, law }])
      this.#refinable.delete(parent)
    },
    'run-open': (row, seq) => this.#runs.set(seq, row),
    'run-close': ({ open, purchases }) => {
      this.#keep(open, this.#sold(purchases))
      this.#runs.delete(open)
    },
    void: ({ reserve }) => this.#owed.delete(reserve),
    epoch: ({ attributes }) => this.#begin(attributes),
    cap: () => {},
    guards: () => {},
    restore: () => this.#retire(),
  }

  #begin(attributes: readonly Attribute[]): void {
    this.#universe = universe(attributes)
    this.#retire()
  }
  /** Earlier rows can no longer be recorded, closed or refined. */
  #retire(): void {
    for (const open of [this.#owed, this.#runs, this.#refinable]) open.clear()
  }
  #keep(paidBy: number, paid: readonly (Paid | typeof oneNumber)[]): void {
    for (const [i, sold] of paid.entries()) if (sold.law) this.#refinable.set(measurementId(paidBy, i), sold)
  }
  #sold(purchases: readonly Sold[]): (Paid | typeof oneNumber)[] {
    return purchases.map((sold) => (sold.kind === undefined ? this.#paid([sold])[0]! : oneNumber))
  }
  #paid(purchases: readonly Purchase[]): Paid[] {
    return purchases.map(({ query, law }) => ({ size: answerSize(query, this.#universe!), law }))
  }
  #purchasesFault(purchases: readonly Purchase[]): string | undefined {
    return purchases.every(({ law }) => positive(law))
      ? this.#queriesFault(purchases.map(({ query }) => query))
      : 'noise must have a positive scale'
  }
  #queriesFault(queries: QueryList): string | undefined {
    try {
      checkQueries(queries, this.#universe!)
    } catch (error) {
      if (error instanceof ReticentError) return error.message
      throw error
    }
  }
}

const capFault = (epsilon: Rational, delta: Rational) =>
  compare(epsilon, zero) > 0 && compare(delta, zero) >= 0 && compare(delta, one) < 0
    ? undefined
    : 'a cap needs ε above 0, and δ from 0 to below 1'

const sizesFault = (paid: readonly { readonly size: number }[], values: readonly ArrayLike<unknown>[]) =>
  paid.length === values.length && paid.every(({ size }, i) => size === values[i]!.length)
    ? undefined
    : 'there are not as many answers as were paid for'

const positive = (law: NoiseLaw) =>
  law.kind === 'none' || compare(law.kind === 'laplace' ? law.scale : law.variance, zero) > 0

const lowers = (law: NoiseLaw, parent: NoiseLaw) =>
  law.kind === 'laplace' && parent.kind === 'laplace' && positive(law) && compare(law.scale, parent.scale) < 0

/**
 * A run on a grid closes on its queries, in its order, each at a scale of its grid. On all of them: a query left out
 * was revealed, too, and its cost would be forgotten. Without a grid it closes on everything that it has sold.
 */
function closeFault(run: RunOpen, purchases: readonly Sold[], values: readonly Integers[]): string | undefined {
  const { queries, grid } = run
  if (!grid) {
    const asked = purchases.flatMap((sold) => (sold.kind === undefined ? [sold.query] : []))
    const own = ownKeys(queries, asked)
    const isSold = (sold: Sold, i: number) => (sells[sold.kind ?? 'answer'] as Sells)(sold, run, own, values[i])
    return purchases.every(isSold) ? undefined : 'a run closes on what it cannot have sold'
  }
  const keys = Array.from(queries, queryKey)
  const isAnswer = (sold: Sold, i: number) => sold.kind === undefined && queryKey(sold.query) === keys[i]
  if (purchases.length !== queries.length || !purchases.every(isAnswer))
    return 'a run closes on other queries than it was opened with, or in another order'
  const onGrid = ({ law }: Purchase) => law.kind === 'laplace' && levelOf(grid, law.scale) !== undefined
  return (purchases as readonly Purchase[]).every(onGrid)
    ? undefined
    : 'a run closes at a scale that is not on its grid'
}

type Sells<S = Sold> = (sold: S, run: RunOpen, own: ReadonlySet<string>, values: Integers | undefined) => boolean
type SoldAs = { answer: Extract<Sold, { kind?: undefined }>; selection: Selection; score: Score }

/** What a run without a grid can have sold, by kind. */
const sells: { [K in keyof SoldAs]: Sells<SoldAs[K]> } = {
  answer: ({ query, law }, run, own) => own.has(queryKey(query)) && isRunNoise(law, run),
  score: ({ query, law }, run) => query < run.queries.length && isRunNoise(law, run),
  selection: ({ candidates, weights, rate }, { queries }, _, values) =>
    compare(rate, zero) > 0 &&
    candidates.every((span, i) => isSpan(span, queries.length, candidates[i - 1])) &&
    (weights === null || weights.length === spansSize(candidates)) &&
    candidates.some(([first, last]) => Number(values?.[0]) >= first && Number(values?.[0]) <= last),
}

/** Behind the one before it, with a gap between them. */
const isSpan = ([first, last]: Spans[number], length: number, [, before]: Spans[number] = [-2, -2]): boolean =>
  first > before + 1 && first <= last && last < length

const isRunNoise = (law: NoiseLaw, { rho }: RunOpen): boolean =>
  law.kind === (rho ? 'gaussian' : 'laplace') && positive(law)
