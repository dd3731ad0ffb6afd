import { ReticentError } from '../../schema/index.ts'
import type { Head, Ledger } from './ledger.ts'
import { sameHead } from './tail.ts'

/** A head as text: `<row>:<hash>`. Since the hash covers all rows up to it, it stands for the ledger's whole past. */
export const formatReceipt = ({ seq, hash }: Head): string => `${seq}:${hash}`

/** Reads what formatReceipt wrote; undefined when the text is no receipt. */
export function parseReceipt(text: string): Head | undefined {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return seq === undefined ? undefined : { seq: Number(seq), hash: hash! }
}

/** Whether the ledger is a continuation of the one that had this head. */
export async function containsHead(ledger: Ledger, head: Head): Promise<boolean> {
  const [row] = await ledger.read(head.seq - 1)
  return row !== undefined && sameHead(row, head)
}

/** People are shown the first 16 digits of a hash: to make another ledger that has them takes 2^64 attempts. */
const short = /^([1-9]\d{0,14}):([0-9a-f]{16,64})$/

/** Whether the ledger is a continuation of the one that gave this receipt, which may be cut to 16 digits or more of its hash. */
export async function containsReceipt(ledger: Ledger, receipt: string): Promise<boolean> {
  const [, seq, digits] = short.exec(receipt.trim()) ?? []
  if (seq === undefined)
    throw new ReticentError(
      'usage',
      {},
      {
        message: 'this is not a receipt',
        hint: 'A receipt is the number of a row, a colon and 16 to 64 hexadecimal digits; every answer carries one.',
      },
    )
  const [row] = await ledger.read(Number(seq) - 1)
  return row !== undefined && row.seq === Number(seq) && row.hash.startsWith(digits!)
}

/** A ledger that does not contain this head. */
export const rolledBack = (seen: Head): ReticentError =>
  new ReticentError(
    'ledger-rolled-back',
    { lastSeen: formatReceipt(seen) },
    {
      message: 'this ledger does not continue the one that was last used here, so it lacks what was spent since',
      detail: `row ${seen.seq}, which was recorded here before, is missing or different`,
      hint: 'Was it restored from a backup, or does it belong to another dataset? Use the newest ledger. If that is lost, only the owner can continue, with `reticent ledger restore`: see "Backups" in docs/ledger.md.',
    },
  )
