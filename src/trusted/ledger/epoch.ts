import { compare, type Rational, rational } from '../../numeric/index.ts'
import { type Integers, type LinearQuery, type Measurement, scaleAt } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import {
  addSpending,
  type Charge,
  chargeUnits,
  type Terms as Priced,
  Purse,
  type Spending,
  scaleFor,
  zeroSpending,
} from '../accounting/index.ts'
import type { Release } from './book.ts'
import type { Row, RunOpen, Terms } from './row.ts'
import { measurementId } from './structure.ts'

/** Rows about one state of the data. */
type EpochRow = Exclude<Row, { kind: 'create' | 'epoch' | 'cap' }>

/**
 * What a run holds for every record until it closes: its whole ε and, as any ε-private release, ε²/2 in ρ, of the ε that
 * has been rounded up, since the run may go that far. Selections and runs are calibrated to the policy's own relation
 * and unit, so nothing multiplies this.
 */
export function runHold(epsilon: Rational): Spending {
  const units = chargeUnits(epsilon)
  if (units === Number.POSITIVE_INFINITY) return { epsilon: units, rho: units }
  return { epsilon: units, rho: chargeUnits(rational(BigInt(units) ** 2n, 2n * 10n ** 24n)) }
}

/** The purchases about one state of the data, and who paid for them: the dataset, and each analyst beside it. */
export class Epoch {
  readonly universe: Universe
  readonly fingerprint: string
  readonly releases = new Map<number, Release>()
  /** As they were recorded; of their own, since a refinement of values that somebody has changed would not be private. */
  readonly #measurements = new Map<string, Measurement>()
  readonly #refined = new Set<string>()
  readonly #terms: Terms
  readonly #dataset: Purse
  readonly #analysts = new Map<string, Purse>()

  constructor(over: Universe, terms: Terms, fingerprint: string) {
    this.universe = over
    this.fingerprint = fingerprint
    this.#terms = terms
    this.#dataset = this.newPurse()
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

  /** Takes in a row that fits (structure.ts has said so). */
  apply(seq: number, at: string, row: EpochRow): void {
    switch (row.kind) {
      case 'reserve':
        this.#pay({ seq, at, ...row, charges: row.purchases })
        break
      case 'refine': {
        const { query, law } = this.#measurements.get(row.parent)!
        this.#refined.add(row.parent)
        this.#pay({ seq, at, ...row, charges: [{ query, law: row.law, paid: law }], refines: row.parent })
        break
      }
      case 'run-open':
        this.#pay({
          seq,
          at,
          ...row,
          charges: [],
          held: row.epsilon,
          reach: reachOf(row, { universe: this.universe, privacy: this.#terms }),
        })
        break
      case 'run-close':
        this.#closeRun(row.open, row.purchases, row.values)
        break
      case 'record':
        this.#record(row.reserve, this.releases.get(row.reserve)!.charges, row.values)
        break
      case 'void':
        this.#keep({ ...this.releases.get(row.reserve)!, state: 'void' })
    }
  }

  #payers(analyst: string | null): Purse[] {
    if (analyst === null) return [this.#dataset]
    const own = this.#analysts.get(analyst) ?? this.newPurse()
    this.#analysts.set(analyst, own)
    return [this.#dataset, own]
  }

  #pay(
    paid: Omit<Release, 'held' | 'reach' | 'state' | 'measurements' | 'refines'> & {
      held?: Rational
      reach?: readonly Charge[]
      grid?: RunOpen['grid']
      refines?: string
    },
  ): void {
    const { seq, at, analyst, statement, kind, held, refines = null } = paid
    const charges = frozen(paid.charges)
    const reach = frozen(paid.reach ?? [])
    const hold = held ? runHold(held) : zeroSpending
    for (const purse of this.#payers(analyst)) {
      purse.add(charges)
      purse.hold(hold)
    }
    // How far noise was lowered may depend on what was seen on the way; answers with noise of their own are as any others.
    const closing = paid.grid === null && Number.isFinite(hold.rho) ? hold : { ...hold, rho: 0 }
    const release = { seq, at, analyst, statement, kind, charges, refines, held: closing, reach }
    this.#keep({ ...release, state: 'open', measurements: [] })
  }

  /** The charges take the place of what the run held in ε and, where it had no grid, in ρ; else it keeps holding that. */
  #closeRun(open: number, purchases: readonly Charge[], values: readonly Integers[]): void {
    const charges = frozen(purchases)
    const run = this.releases.get(open)!
    for (const purse of this.#payers(run.analyst)) {
      purse.add(charges, run.held.rho > 0 ? undefined : 'covered in ρ')
      purse.release(run.held)
    }
    this.#keep({ ...run, charges, held: zeroSpending })
    this.#record(open, charges, values)
  }

  /** What a release says is looked at again when it is recorded or closed: nobody may change it meanwhile. */
  #keep(release: Release): void {
    Object.freeze(release.held)
    Object.freeze(release.measurements)
    this.releases.set(release.seq, Object.freeze(release))
  }

  #record(seq: number, charges: readonly Charge[], values: readonly Integers[]): void {
    const measurements = charges.map(({ query, law }, i) => ({
      id: measurementId(seq, i),
      query,
      law,
      values: values[i]!,
    }))
    for (const m of measurements) this.#measurements.set(m.id, { ...m, values: m.values.slice() })
    this.#keep({
      ...this.releases.get(seq)!,
      state: 'recorded',
      measurements: measurements.map((m) => Object.freeze(m)),
    })
  }
}

/**
 * The sharpest that a run may show of each query by itself: at the end of the grid, or as answered once for all of ε,
 * whichever is less sharp. Of answers that share an ε the weighted mean spreads more: docs/algorithms/refinement.md
 */
export function reachOf(
  { queries, grid, epsilon }: Pick<RunOpen, 'queries' | 'grid' | 'epsilon'>,
  terms: Priced,
): Charge[] {
  const scale = (query: LinearQuery) => {
    const [last, dearest] = [grid && scaleAt(grid, grid.count - 1), scaleFor(query, epsilon, terms)]
    return last && compare(last, dearest) > 0 ? last : dearest
  }
  return queries.map((query) => ({ query, law: { kind: 'laplace', scale: scale(query) } }))
}

/** What closed epochs cost: the sum of their bounds. */
export class Closed {
  #dataset: Spending = zeroSpending
  readonly #analysts = new Map<string, Spending>()

  add(epoch: Epoch): void {
    // In both currencies, whatever the cap: it may change later.
    const both = { epsilon: 0, rho: 0 }
    this.#dataset = addSpending(this.#dataset, epoch.purse()!.spent(both))
    for (const name of epoch.analysts) {
      this.#analysts.set(name, addSpending(this.of(name), epoch.purse(name)!.spent(both)))
    }
  }
  of(analyst?: string): Spending {
    return analyst === undefined ? this.#dataset : (this.#analysts.get(analyst) ?? zeroSpending)
  }
}

/** Accounts keep charges and look at them later; whoever reads a release must not be able to change them. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) frozen(part)
    Object.freeze(value)
  }
  return value
}
