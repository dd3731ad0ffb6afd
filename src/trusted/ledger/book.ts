import type { Measurement } from '../../query/index.ts'
import { type Attribute, ReticentError, type Universe, universe } from '../../schema/index.ts'
import { type Charge, capUnits, openAccount, type Units, type WorstCellAccount } from '../accounting/index.ts'
import { corrupt } from './damage.ts'
import type { Head, Ledger, StoredRow } from './ledger.ts'
import type { Record, Reserve, Terms } from './row.ts'
import { measurementId, Structure } from './structure.ts'

/** Where the search for a costly cell begins: so many places. */
const exhibits = 32

/** One purchase from the ledger: who asked what, and the noisy answers once they were recorded. */
export interface Release {
  readonly seq: number
  readonly at: string
  readonly analyst: string | null
  readonly statement: string | null
  readonly charges: readonly Charge[]
  /** open: paid for, not yet recorded; void: it never will be. */
  readonly state: 'open' | 'recorded' | 'void'
  readonly measurements: readonly Measurement[]
}

/**
 * A ledger, read: what is promised, what has been spent of it, and everything that was released. It is rebuilt from
 * the rows alone and follows them as they grow, whoever appends them.
 */
export class Book {
  readonly #ledger: Ledger
  #head: Head = { seq: 0, hash: '' }
  readonly #structure = new Structure()
  #following: Promise<void> = Promise.resolve()
  #dataset = ''
  #terms!: Terms
  #epoch!: Epoch
  #epochs = 0
  /** What the epochs before this one cost, each at its own worst cell: a person may have moved between cells. */
  readonly #closed = new Spending()

  private constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  static async open(ledger: Ledger): Promise<Book> {
    const book = new Book(ledger)
    await book.follow()
    return book
  }

  /** Reads what has been appended since the last time, by this process or by another. */
  follow(): Promise<void> {
    // One reader at a time: two that began at the same row would charge it twice.
    const next = this.#following
      .catch(() => undefined)
      .then(async () => {
        for (const stored of await this.#ledger.read(this.#head.seq)) {
          this.#apply(stored)
          this.#head = { seq: stored.seq, hash: stored.hash }
        }
      })
    this.#following = next
    return next
  }

  #apply({ seq, at, row }: StoredRow): void {
    const fault = this.#structure.accept(seq, row)
    if (fault !== undefined) throw corrupt(`row ${seq}: ${fault}`, { row: seq })
    switch (row.kind) {
      case 'create':
        this.#dataset = row.dataset
        this.#terms = row.privacy
        this.#begin(row.attributes, row.fingerprint)
        return
      case 'reserve':
        this.#epoch.reserve(seq, at, row)
        return
      case 'record':
        this.#epoch.record(row)
        return
      case 'void':
        this.#epoch.cancel(row.reserve)
        return
      case 'epoch':
        this.#closed.add(this.#epoch)
        this.#begin(row.attributes, row.fingerprint)
        return
      case 'cap':
        this.#terms = { ...this.#terms, epsilon: row.epsilon, delta: row.delta }
        return
      case 'refine':
      case 'run-open':
      case 'run-close':
        // A cost that this version cannot tell is not zero.
        throw new ReticentError(
          'not-supported',
          { row: seq, kind: row.kind },
          {
            message: `row ${seq} of the ledger is a ${row.kind}, which this version of Reticent cannot charge for`,
            hint: 'Use the version that wrote it, or a later one.',
          },
        )
    }
  }

  #begin(attributes: readonly Attribute[], fingerprint: string): void {
    this.#epoch = new Epoch(universe(attributes), this.#terms, fingerprint)
    this.#epochs++
  }

  get head(): Head {
    return this.#head
  }
  get dataset(): string {
    return this.#dataset
  }
  /** The promise as it stands, with the cap last set. */
  get terms(): Terms {
    return this.#terms
  }
  get cap(): Units {
    return capUnits(this.#terms.epsilon)
  }
  get universe(): Universe {
    return this.#epoch.universe
  }
  get fingerprint(): string {
    return this.#epoch.fingerprint
  }
  get epochs(): number {
    return this.#epochs
  }
  /** This epoch's purchases, oldest first. Those of earlier epochs speak of other data. */
  get releases(): Release[] {
    return [...this.#epoch.releases.values()]
  }

  /** What has been spent of the dataset's budget or, given a name, of that analyst's. */
  spent(analyst?: string): Units {
    return this.#closed.of(analyst) + (this.#epoch.account(analyst)?.spent() ?? 0)
  }
  /** What would be spent with these charges; works only as hard as it takes to get to `cap` or below. */
  spentWith(charges: readonly Charge[], cap: Units, analyst?: string): Units {
    const closed = this.#closed.of(analyst)
    return closed + (this.#epoch.account(analyst) ?? this.#epoch.newAccount()).with(charges, cap - closed)
  }
  /** What some record of this epoch has certainly paid: a lower bound, to hold against the cap. */
  exhibited(): Units {
    return this.#epoch.account()!.bestCell(exhibits).units
  }
}

/** The purchases about one state of the data, and their accounts: the dataset's and each analyst's. */
class Epoch {
  readonly universe: Universe
  readonly fingerprint: string
  readonly releases = new Map<number, Release>()
  readonly #terms: Terms
  readonly #all: WorstCellAccount
  readonly #byAnalyst = new Map<string, WorstCellAccount>()

  constructor(over: Universe, terms: Terms, fingerprint: string) {
    this.universe = over
    this.fingerprint = fingerprint
    this.#terms = terms
    this.#all = this.newAccount()
  }

  newAccount(): WorstCellAccount {
    return openAccount({ universe: this.universe, privacy: this.#terms })
  }
  account(analyst?: string): WorstCellAccount | undefined {
    return analyst === undefined ? this.#all : this.#byAnalyst.get(analyst)
  }
  analysts(): Iterable<string> {
    return this.#byAnalyst.keys()
  }

  reserve(seq: number, at: string, row: Reserve): void {
    const { analyst, statement, purchases } = row
    this.#all.add(purchases)
    if (analyst !== null) {
      if (!this.#byAnalyst.has(analyst)) this.#byAnalyst.set(analyst, this.newAccount())
      this.#byAnalyst.get(analyst)!.add(purchases)
    }
    this.releases.set(seq, { seq, at, analyst, statement, charges: purchases, state: 'open', measurements: [] })
  }
  record(row: Record): void {
    const release = this.releases.get(row.reserve)!
    const measurements = release.charges.map((charge, i) => ({
      ...charge,
      id: measurementId(row.reserve, i),
      values: row.values[i]!,
    }))
    this.releases.set(row.reserve, { ...release, state: 'recorded', measurements })
  }
  cancel(reserve: number): void {
    this.releases.set(reserve, { ...this.releases.get(reserve)!, state: 'void' })
  }
}

/** Sums over closed epochs. */
class Spending {
  #all: Units = 0
  readonly #byAnalyst = new Map<string, Units>()

  add(epoch: Epoch): void {
    this.#all += epoch.account()!.spent()
    for (const name of epoch.analysts()) this.#byAnalyst.set(name, this.of(name) + epoch.account(name)!.spent())
  }
  of(analyst?: string): Units {
    return analyst === undefined ? this.#all : (this.#byAnalyst.get(analyst) ?? 0)
  }
}
