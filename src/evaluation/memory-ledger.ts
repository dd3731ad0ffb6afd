import {
  type Append,
  type Create,
  genesis,
  type Head,
  type Ledger,
  prepareRow,
  type RawRow,
  type Row,
  readChain,
  type StoredRow,
  sameHead,
  Tail,
} from '../trusted/ledger/index.ts'

/** A ledger that ends with the process: for experiments and tests, where no promise to a person hangs on it. */
export async function memoryLedger(
  create: Create,
  secret: Uint8Array,
  clock: () => Date = () => new Date(),
): Promise<Ledger> {
  const ledger = new MemoryLedger(secret, clock)
  await ledger.append(create)
  return ledger
}

class MemoryLedger implements Ledger {
  readonly #rows: RawRow[] = []
  readonly #notes = new Map<string, string>()
  readonly #tail = new Tail()
  readonly #secret: Uint8Array
  readonly #clock: () => Date

  constructor(secret: Uint8Array, clock: () => Date) {
    this.#secret = Uint8Array.from(secret)
    this.#clock = clock
  }

  async read(after: number): Promise<StoredRow[]> {
    const from = after === 0 ? genesis : this.#rows[after - 1]
    return from ? readChain(this.#rows.slice(after), from) : []
  }

  async append(row: Row, expect?: Head): Promise<StoredRow | undefined> {
    const ready = prepareRow(row)
    if (expect && !sameHead(expect, this.#tail.head)) return undefined
    const { raw, stored } = this.#tail.next(ready.row, ready.encoded, this.#clock().toISOString())
    this.#rows.push(raw)
    this.#tail.follow(stored)
    return stored
  }

  inTurn<T>(work: (append: Append) => Promise<T>): Promise<T> {
    return work((row, expect) => this.append(row, expect))
  }

  async secret(): Promise<Uint8Array> {
    return Uint8Array.from(this.#secret)
  }
  async note(name: string): Promise<string | undefined> {
    return this.#notes.get(name)
  }
  async setNote(name: string, value: string): Promise<void> {
    this.#notes.set(name, value)
  }
  async alone<T>(work: (has: (head: Head) => boolean) => T, before?: () => Promise<void>): Promise<T> {
    await before?.()
    return work(({ seq, hash }) => this.#rows[seq - 1]?.hash === hash)
  }
  async close(): Promise<void> {}
}
