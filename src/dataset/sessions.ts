import { Knowledge } from '../answer/index.ts'
import { type Policy, stopIfAborted, usage } from '../schema/index.ts'
import { openEngine, StoppableEngine } from '../trusted/engine/index.ts'
import { type Book, formatReceipt, type Head, headFileOf, keepSeen, type Ledger } from '../trusted/ledger/index.ts'
import { type Approve, Meter, sameEpoch } from '../trusted/meter/index.ts'
import { systemBits } from '../trusted/random/index.ts'
import type { MarginalsOptions } from './marginals/options.ts'
import type { PaidSession } from './paid.ts'
import { quotaOf } from './quota.ts'

/** What questions and releases have in common: who asks, and how to follow and stop the work. */
type Common = Pick<MarginalsOptions, 'as' | 'progress' | 'signal'>

/** How often work that shall stop is told so: the source may be read again after what was read when it was told first. */
const stopMilliseconds = 50

/** Below 1, for proofs about public numbers. */
export const uniform = (): number => systemBits.uint32() / 2 ** 32

/** What a dataset was opened with. */
interface Opened {
  readonly policy: Policy
  readonly ledger: Ledger
  readonly book: Book
  readonly approve: Approve
  /** Whether the data are made ready for many questions right away. */
  readonly warm?: boolean
}

/** The sessions of an opened dataset: holds the ledger, and the data once something is bought. */
export class Sessions {
  readonly policy: Policy
  readonly book: Book
  readonly knowledge: Knowledge
  readonly #ledger: Ledger
  readonly #approve: Approve
  /** The policy belongs to this epoch. When the owner begins another, it no longer applies. */
  readonly #epoch: number
  /** Opened when the first purchase needs it: free answers, budgets and histories do not. */
  readonly #engine = new StoppableEngine(async () =>
    openEngine({
      ...this.policy,
      unit: this.policy.privacy.unit,
      key: await this.#ledger.secret(),
      warm: this.#isWarm,
    }),
  )
  /** How many read the source, or may soon: where somebody else does, it is not stopped for one who does not want to wait. */
  #readers = 0
  #isClosed = false
  /** The head that was last written down. */
  #remembered: Head | undefined
  readonly #isWarm: boolean
  #warming: Promise<void> | undefined

  constructor({ policy, ledger, book, approve, warm = false }: Opened) {
    this.policy = policy
    this.book = book
    this.knowledge = new Knowledge(book, uniform)
    this.#ledger = ledger
    this.#approve = approve
    this.#epoch = book.epochs
    this.#isWarm = warm
    // A failure here happens again at the first purchase, and is reported there.
    if (warm) this.#warming = this.#warm().catch(() => {})
  }

  /** Nothing is read if the book is already at the receipt. */
  async follow(receipt?: string): Promise<void> {
    if (this.#isClosed) throw usage('the dataset is closed')
    if (receipt === undefined || receipt !== formatReceipt(this.book.head)) await this.book.follow()
    sameEpoch({ book: this.book, epoch: this.#epoch })
  }

  /** One question or release on behalf of an analyst. The ledger is read up to its end here, once. */
  async begin({ as, progress, signal }: Common, receipt?: string): Promise<PaidSession> {
    await this.follow(receipt)
    const { policy, book, knowledge } = this
    const reservations: number[] = []
    const meter = () => this.#meter(signal, (reservation) => reservations.push(reservation))
    const quota = quotaOf(policy, as, book)
    return { book, knowledge, quota, approve: this.#approve, meter, random: uniform, progress, signal, reservations }
  }

  /**
   * Writes down the ledger's last row, even if something was paid for and then failed, so that a restored backup is
   * detected. If another process has just done so, later than the last payment of this session, that is enough: a copy
   * that has this payment has forgotten no charge, only answers.
   */
  async remembered<T>(session: Pick<PaidSession, 'reservations' | 'signal'>, work: () => Promise<T>): Promise<T> {
    const { reservations, signal } = session
    try {
      return await this.#stoppably(work, signal)
    } finally {
      await this.book.follow('known').catch(() => {})
      await this.#remember(reservations.at(-1))
    }
  }

  /** Whoever stops the work need not wait until the source is read: what has been paid for is answered, and nothing else is begun. */
  async #stoppably<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const stop = () => {
      if (this.#readers === 1) this.#engine.stop()
    }
    let stopping: NodeJS.Timeout | undefined
    const abort = () => {
      stop()
      stopping = setInterval(stop, stopMilliseconds)
    }
    signal?.addEventListener('abort', abort)
    this.#readers++
    try {
      return await work()
    } finally {
      this.#readers--
      clearInterval(stopping)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** The same for what buys nothing: once a head is written down, there is nothing new to remember. */
  async rememberHead(): Promise<void> {
    if (this.book.head !== this.#remembered) await this.#remember()
  }

  async #remember(needed = this.book.head.seq): Promise<void> {
    const { head } = this.book
    const isKept = await keepSeen(headFileOf(this.policy.file), this.#ledger, this.book, needed)
    if (isKept && needed === head.seq) this.#remembered = head
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#warming
    await this.#engine.close()
    await this.#ledger.close()
  }

  async #meter(signal: AbortSignal | undefined, onCharge: (reservation: number) => void): Promise<Meter> {
    stopIfAborted(signal)
    const { book, policy } = this
    const kept = { approve: this.#approve, guards: policy.guards, epoch: this.#epoch }
    return new Meter({ ledger: this.#ledger, book, engine: this.#engine, ...kept, onCharge })
  }

  #warm(): Promise<void> {
    return this.#stoppably(async () => (await this.#engine.snapshot()).warm?.())
  }
}
