import { ReticentError } from '../../schema/index.ts'
import { genesis, linkRow, type RawRow } from './chain.ts'
import { corrupt } from './damage.ts'
import type { Head, StoredRow } from './ledger.ts'
import { decodeRow } from './rows/decode.ts'
import { type Encoded, encodeRow } from './rows/encode.ts'
import type { Row } from './rows/row.ts'
import { type Fault, Structure } from './structure.ts'

/**
 * The end of a ledger as its appender knows it: the head, and which rows may come next. Every ledger appends through
 * one, so that it never stores a row that does not fit or could not be read back.
 */
export class Tail {
  #head: Head = genesis
  #fault: Fault | undefined
  readonly #structure = new Structure()
  /** The last rows up to the head, as long as nobody has asked for them. */
  #unread: StoredRow[] = []

  get head(): Head {
    return this.#head
  }

  /**
   * Takes in the row that comes next in the ledger, already checked against the chain. One that was read or written on the way
   * to an append is kept until somebody asks for it, so that it need not be read, checked and decoded a second time.
   */
  follow(stored: StoredRow, kept?: 'unread'): void {
    const { seq, hash, row } = stored
    const fault = this.#structure.accept(seq, row)
    if (fault !== undefined) this.#fault ??= { seq, fault }
    this.#head = { seq, hash }
    if (kept) this.#unread.push(stored)
  }

  /** The rows after number `after` up to the head; undefined where they are not all at hand. */
  rowsAfter(after: number): StoredRow[] | undefined {
    const rows = this.#unread.filter(({ seq }) => seq > after)
    return this.#head.seq > 0 && after + rows.length === this.#head.seq ? rows : undefined
  }

  /** Somebody has all rows up to this one. */
  forget(upTo: number): void {
    this.#unread = this.#unread.filter(({ seq }) => seq > upTo)
  }

  /** Throws where a row up to the head does not fit those before it. */
  requireSound(): void {
    if (this.#fault) throw corrupt(`row ${this.#fault.seq}: ${this.#fault.fault}`, { row: this.#fault.seq })
  }

  /** Whether a row could come next. */
  fits(row: Row): boolean {
    return !this.#fault && this.#structure.fault(row) === undefined
  }

  /** The row as it will be stored after the head; nothing changes until it is followed. Throws when it does not fit. */
  next(row: Row, encoded: Encoded, at: string): { raw: RawRow; stored: StoredRow } {
    this.requireSound()
    const fault = this.#structure.fault(row)
    if (fault !== undefined) throw refused(row, fault)
    const raw = linkRow(this.#head, at, encoded)
    return { raw, stored: { seq: raw.seq, hash: raw.hash, at, row } }
  }
}

/** The row as it will be read back, and its bytes; throws unless it can be. Shares nothing that the caller may change. */
export function prepareRow(row: Row): { row: Row; encoded: Encoded } {
  const encoded = encodeRow(row)
  try {
    return { row: decodeRow(encoded), encoded }
  } catch {
    throw refused(row, 'it could not be read again')
  }
}

/** The same place in the same chain. */
export const sameHead = (a: Head, b: Head): boolean => a.seq === b.seq && a.hash === b.hash

const refused = ({ kind }: Row, detail: string) =>
  new ReticentError(
    'ledger-refused',
    { kind },
    {
      message: `this ${kind} does not fit the ledger; nothing was written`,
      detail,
      hint: 'A new epoch may have begun. Open the dataset again.',
    },
  )
