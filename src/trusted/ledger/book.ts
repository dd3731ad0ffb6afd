import { type Rational, toText } from '../../numeric/index.ts'
import type { Measurement } from '../../query/index.ts'
import { type Attribute, type Guard, type Privacy, type Universe, universe } from '../../schema/index.ts'
import {
  addSpending,
  type Cap,
  type Charge,
  capUnits,
  rhoCap,
  type Spending,
  zeroSpending,
} from '../accounting/index.ts'
import { isPinned } from '../hash/index.ts'
import { corrupt } from './damage.ts'
import { Closed, Epoch, frozen, restoreHold } from './epoch.ts'
import type { Head, Ledger, StoredRow } from './ledger.ts'
import type { Release } from './release.ts'
import type { PrivacyTerms, Restore } from './rows/row.ts'
import { Structure } from './structure.ts'

/** The owner continued with an older copy. */
interface Restored {
  readonly seq: number
  readonly at: string
  readonly lost: Spending
}

const guardKey = ({ query, within, confidence }: Guard): string =>
  JSON.stringify([query, toText(within), toText(confidence)])

/**
 * The content of a ledger: what is promised, what has been spent, and everything that was released. It is rebuilt from
 * the rows alone and follows them as they grow, whoever appends them.
 */
export class Book {
  readonly #ledger: Ledger
  readonly #composition: Privacy['composition'] | undefined
  #head: Head = { seq: 0, hash: '' }
  readonly #structure = new Structure()
  #following: Promise<void> = Promise.resolve()
  #dataset = ''
  #terms!: PrivacyTerms
  #cap!: Cap
  #hasSold = false
  #promises: readonly PrivacyTerms[] = []
  #epoch!: Epoch
  #epochs = 0
  /** What the epochs before this one cost, each at its own worst cell: a person may have moved between cells. */
  readonly #closed = new Closed()
  /** What was charged for rows that restored copies lacked. */
  #lost: Spending = zeroSpending
  readonly #restores: Restored[] = []
  /** The row since which each guard has been kept. */
  #guards: ReadonlyMap<string, number> = new Map()

  private constructor(ledger: Ledger, composition: Privacy['composition'] | undefined) {
    this.#ledger = ledger
    this.#composition = composition
  }

  /** `composition` is the policy's; it is not part of what was promised, so it may change. */
  static async open(ledger: Ledger, composition?: Privacy['composition']): Promise<Book> {
    const book = new Book(ledger, composition)
    await book.follow()
    return book
  }

  /** Reads what has been appended since the last time, by this process or by another; `known` as in `Ledger.read`. */
  follow(known?: 'known'): Promise<void> {
    // One reader at a time: two that began at the same row would charge it twice.
    const next = this.#following
      .catch(() => undefined)
      .then(async () => {
        for (const stored of await this.#ledger.read(this.#head.seq, known)) {
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
        this.#promise(row.privacy)
        this.#begin(row.attributes, row.fingerprint)
        return
      case 'epoch':
        this.#closed.add(this.#epoch)
        this.#begin(row.attributes, row.fingerprint)
        return
      case 'cap':
        this.#promise({ ...this.#terms, epsilon: row.epsilon, delta: row.delta })
        return
      case 'restore':
        this.#lose(seq, at, row)
        return
      case 'guards':
        this.#guards = new Map(row.guards.map((guard) => [guardKey(guard), this.guardedSince(guard) ?? seq]))
        return
      default:
        this.#hasSold = true
        this.#epoch.apply(seq, at, row)
    }
  }

  #lose(seq: number, at: string, row: Restore): void {
    const lost = restoreHold(row)
    this.#restores.push({ seq, at, lost })
    this.#lost = addSpending(this.#lost, lost)
    this.#epoch.bills.add(seq, [], lost)
    this.#epoch.refineNoMore()
  }
  #promise(terms: PrivacyTerms): void {
    this.#terms = frozen(terms)
    // Before anything was sold, no promise can have been chosen by looking at answers.
    this.#promises = [...(this.#hasSold ? this.#promises : []), terms]
    this.#cap = Object.freeze(this.capOf(terms.epsilon))
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
  get terms(): PrivacyTerms {
    return this.#terms
  }
  /** All that were in force since something was first sold; none where nothing was. */
  get promises(): readonly Pick<PrivacyTerms, 'epsilon' | 'delta'>[] {
    return this.#hasSold ? this.#promises : []
  }
  get cap(): Cap {
    return this.#cap
  }
  /** A cap of ε, at the promise's δ unless said otherwise: for the dataset or an analyst. */
  capOf(epsilon: Rational, delta: Rational = this.#terms.delta): Cap {
    const both = delta.num > 0n && (this.#composition ?? this.#terms.composition) === 'zcdp'
    return { epsilon: capUnits(epsilon), rho: both ? rhoCap(epsilon, delta) : null }
  }
  get universe(): Universe {
    return this.#epoch.universe
  }
  get fingerprint(): string {
    return this.#epoch.fingerprint
  }
  /** Whether measurements can be refined: only if the source can answer again from the same snapshot. */
  get canRefine(): boolean {
    return isPinned(this.#epoch.fingerprint)
  }
  get epochs(): number {
    return this.#epochs
  }
  /** The row since which a guard has been kept without a break; undefined where it is not. */
  guardedSince(guard: Guard): number | undefined {
    return this.#guards.get(guardKey(guard))
  }
  /** Whether these guards are kept now, and no others. */
  keepsGuards(guards: readonly Guard[]): boolean {
    const keys = new Set(guards.map(guardKey))
    return keys.size === this.#guards.size && [...keys].every((key) => this.#guards.has(key))
  }
  /** This epoch's purchases, oldest first. Those of earlier epochs speak of other data. */
  get releases(): readonly Release[] {
    return this.#epoch.releases
  }
  /** A measurement of this epoch, by its id: a copy that the caller may change. */
  measurement(id: string): Measurement | undefined {
    return this.#epoch.measurement(id)
  }
  /** Whether a refinement of it has been paid for: there is one at most, even if its record never came. */
  isRefined(id: string): boolean {
    return this.#epoch.isRefined(id)
  }

  /** What has been spent of the dataset's budget or, given a name, of that analyst's; ρ only where the cap counts it. */
  spent(analyst?: string, cap: Cap = this.#cap): Spending {
    return addSpending(this.#before(analyst), this.#epoch.purse(analyst)?.spent(cap) ?? zeroSpending)
  }
  /** What would be spent with these charges and reservations; searches only as long as it takes to fit the cap. */
  spentWith(
    charges: readonly Charge[],
    cap: Cap,
    { analyst, held }: { analyst?: string; held?: Spending } = {},
  ): Spending {
    const closed = this.#before(analyst)
    const left = { epsilon: cap.epsilon - closed.epsilon, rho: cap.rho === null ? null : cap.rho - closed.rho }
    // The account keeps them for the purchase that may follow; whoever asked must not be able to change them.
    const kept = frozen(charges)
    return addSpending(closed, (this.#epoch.purse(analyst) ?? this.#epoch.newPurse()).with(kept, left, held))
  }
  /** What closed epochs cost, and what was lost; nobody knows which analyst paid for lost rows, so they count for each one in full. */
  #before(analyst?: string): Spending {
    return addSpending(this.#closed.of(analyst), this.#lost)
  }
  /** When older copies were restored, and what each was charged. */
  get restores(): readonly Restored[] {
    return this.#restores
  }
  /** What was charged for rows that were lost when an older copy was restored. */
  get lost(): Spending {
    return this.#lost
  }
  /**
   * What some record has certainly been charged, in all epochs: a lower bound, to compare with the cap. Lost rows are
   * left out: what they were charged is only an upper bound.
   */
  exhibited(): Spending {
    return addSpending(this.#closed.exhibit(), this.#epoch.purse()!.exhibit())
  }
  /** What was paid for after this row, at its own price: no record has paid more for it. */
  billedAfter(seq: number): Spending {
    return addSpending(this.#closed.billedAfter(seq), this.#epoch.bills.after(seq))
  }
  /** What is missing for the refinements after this row if another copy of the ledger may have refined the same answers. */
  forksAfter(seq: number): Spending {
    return addSpending(this.#closed.forksAfter(seq), this.#epoch.bills.forksAfter(seq))
  }
}
