import type { Integers, Measurement } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import {
  addSpending,
  type Charge,
  chargeUnits,
  DistanceSensitivities,
  isAnswer,
  measurementCharge,
  Purse,
  reachOf,
  runHold,
  type Spending,
  sumSpending,
  zeroSpending,
} from '../accounting/index.ts'
import { Bills } from './bills.ts'
import type { Release } from './release.ts'
import type { PrivacyTerms, Restore, Row, RunOpen, Sold } from './rows/row.ts'
import { measurementId } from './structure.ts'

/** Rows about one state of the data. */
type EpochRow = Exclude<Row, { kind: 'create' | 'epoch' | 'cap' | 'guards' | 'restore' }>

/** What every record is charged for a restored copy, whatever its cell. */
export const restoreHold = ({ epsilon, rho }: Restore): Spending => ({
  epsilon: epsilon ? chargeUnits(epsilon) : Number.POSITIVE_INFINITY,
  rho: rho ? chargeUnits(rho) : Number.POSITIVE_INFINITY,
})

/** The purchases about one state of the data, and who paid for them: the dataset, and each analyst separately. */
export class Epoch {
  readonly universe: Universe
  readonly fingerprint: string
  readonly #releases = new Map<number, Release>()
  #list: readonly Release[] | undefined
  readonly bills: Bills
  /** As they were recorded; of their own, since a refinement of values that somebody has changed would not be private. */
  readonly #measurements = new Map<string, Measurement>()
  readonly #refined = new Set<string>()
  /** Open runs, by row. */
  readonly #runs = new Map<number, RunOpen>()
  readonly #terms: PrivacyTerms
  readonly #dataset: Purse
  readonly #analysts = new Map<string, Purse>()

  constructor(over: Universe, terms: PrivacyTerms, fingerprint: string) {
    this.universe = over
    this.fingerprint = fingerprint
    this.#terms = terms
    this.#dataset = this.newPurse()
    this.bills = new Bills({ universe: over, privacy: terms })
  }

  /** Oldest first, made once until there is another; whoever reads it must not be able to change it. */
  get releases(): readonly Release[] {
    this.#list ??= Object.freeze([...this.#releases.values()])
    return this.#list
  }
  newPurse(): Purse {
    return new Purse({ universe: this.universe, privacy: this.#terms })
  }
  purse(analyst?: string): Purse | undefined {
    return analyst === undefined ? this.#dataset : this.#analysts.get(analyst)
  }
  get analysts(): Iterable<string> {
    return this.#analysts.keys()
  }
  measurement(id: string): Measurement | undefined {
    const kept = this.#measurements.get(id)
    return kept && { ...kept, values: kept.values.slice() }
  }
  isRefined(id: string): boolean {
    return this.#refined.has(id)
  }

  /** What was lost may have refined any of these, and a second refinement of the same answer is not paid for by the difference. */
  refineNoMore(): void {
    for (const id of this.#measurements.keys()) this.#refined.add(id)
  }

  /** Takes in a row that fits (checked in structure.ts). */
  apply(seq: number, at: string, row: EpochRow): void {
    switch (row.kind) {
      case 'reserve':
        this.#pay({ seq, at, ...row, charges: row.purchases.map(measurementCharge) })
        break
      case 'refine': {
        const { query, law } = this.#measurements.get(row.parent)!
        this.#refined.add(row.parent)
        this.#pay({
          seq,
          at,
          ...row,
          charges: [{ kind: 'refinement', query, law: row.law, paid: law }],
          refines: row.parent,
        })
        break
      }
      case 'run-open': {
        const reach = once(() => frozen(reachOf(row, { universe: this.universe, privacy: this.#terms })))
        this.#runs.set(seq, row)
        this.#pay({ seq, at, ...row, charges: [], held: runHold(row), reach })
        break
      }
      case 'run-close':
        this.#closeRun(row.open, row.purchases, row.values)
        break
      case 'record':
        this.#record(row.reserve, this.#releases.get(row.reserve)!.charges, row.values)
        break
      case 'void':
        this.#keep({ ...this.#releases.get(row.reserve)!, state: 'void' })
    }
  }

  #payers(analyst: string | null): Purse[] {
    if (analyst === null) return [this.#dataset]
    const own = this.#analysts.get(analyst) ?? this.newPurse()
    this.#analysts.set(analyst, own)
    return [this.#dataset, own]
  }

  #pay(
    paid: Omit<Release, 'held' | 'reach' | 'state' | 'measurements' | 'refines' | 'grid'> &
      Partial<Pick<Release, 'held' | 'reach' | 'refines' | 'grid'>>,
  ): void {
    const {
      seq,
      at,
      analyst,
      statement,
      kind,
      held = zeroSpending,
      refines = null,
      grid = null,
      reach = () => [],
    } = paid
    const charges = frozen(paid.charges)
    for (const purse of this.#payers(analyst)) {
      purse.add(charges)
      purse.hold(seq, held)
    }
    this.bills.add(seq, charges, held)
    const state = 'open'
    this.#keep({ seq, at, analyst, statement, kind, charges, refines, grid, held, reach, state, measurements: [] })
  }

  /**
   * The charges take the place of what the run held. On a grid it keeps holding ρ: how far noise was lowered may depend on
   * what was seen on the way, while answers with noise of their own are as any others.
   */
  #closeRun(open: number, purchases: readonly Sold[], values: readonly Integers[]): void {
    const { queries, grid } = this.#runs.get(open)!
    const moved = new DistanceSensitivities(queries, { universe: this.universe, privacy: this.#terms })
    const charges = frozen(purchases.map((sold) => chargeOf(sold, moved)))
    const run = this.#releases.get(open)!
    const covered = grid ? 'covered in ρ' : undefined
    for (const purse of this.#payers(run.analyst)) {
      purse.add(charges, covered)
      purse.hold(open, covered ? { epsilon: 0, rho: run.held.rho } : zeroSpending)
    }
    this.#runs.delete(open)
    this.#keep({ ...run, charges, held: zeroSpending })
    this.#record(open, charges, values)
  }

  /** A release is read again when it is recorded or closed, so nobody may change it meanwhile. */
  #keep(release: Release): void {
    Object.freeze(release.held)
    Object.freeze(release.measurements)
    this.#releases.set(release.seq, Object.freeze(release))
    this.#list = undefined
  }

  #record(seq: number, charges: readonly Charge[], values: readonly Integers[]): void {
    const measurements: Measurement[] = []
    for (const [i, charge] of charges.entries()) {
      if (!isAnswer(charge)) continue
      const { query, law } = charge
      const measurement = { id: measurementId(seq, i), query, law, values: values[i]! }
      measurements.push(Object.freeze(measurement))
      this.#measurements.set(measurement.id, { ...measurement, values: measurement.values.slice() })
    }
    this.#keep({ ...this.#releases.get(seq)!, state: 'recorded', measurements })
  }
}

function chargeOf(sold: Sold, moved: DistanceSensitivities): Charge {
  switch (sold.kind) {
    case undefined:
      return measurementCharge(sold)
    case 'selection': {
      const { kind, candidates, weights, rate } = sold
      return { kind, rate, sensitivity: moved.most(candidates, weights ?? undefined) }
    }
    case 'score':
      return { kind: sold.kind, law: sold.law, sensitivity: moved.of(sold.query) }
  }
}

/** What closed epochs cost: the sum of their bounds. */
export class Closed {
  readonly #purses: Purse[] = []
  readonly #bills: Bills[] = []
  #dataset: Spending = zeroSpending
  readonly #analysts = new Map<string, Spending>()

  add(epoch: Epoch): void {
    // In both currencies, whatever the cap: it may change later.
    const both = { epsilon: 0, rho: 0 }
    this.#purses.push(epoch.purse()!)
    this.#bills.push(epoch.bills)
    this.#dataset = addSpending(this.#dataset, epoch.purse()!.spent(both))
    for (const name of epoch.analysts) {
      this.#analysts.set(name, addSpending(this.of(name), epoch.purse(name)!.spent(both)))
    }
  }
  /** The sum of what some record has certainly been charged in each: it may be one person, who moved between cells. */
  exhibit(): Spending {
    return this.#purses.map((purse) => purse.exhibit()).reduce(addSpending, zeroSpending)
  }
  billedAfter(seq: number): Spending {
    return sumSpending(this.#bills.map((bills) => bills.after(seq)))
  }
  forksAfter(seq: number): Spending {
    return sumSpending(this.#bills.map((bills) => bills.forksAfter(seq)))
  }
  of(analyst?: string): Spending {
    return analyst === undefined ? this.#dataset : (this.#analysts.get(analyst) ?? zeroSpending)
  }
}

/** Computed on first use: a run may have half a million queries, and this is rarely needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Accounts keep charges and look at them later; whoever reads a release must not be able to change them. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Array.isArray(value) ? value : Object.values(value)) frozen(part)
    Object.freeze(value)
  }
  return value
}
