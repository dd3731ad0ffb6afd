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

/** Whether the ledger is a continuation of the one that gave this receipt. */
export async function containsReceipt(ledger: Ledger, receipt: string): Promise<boolean> {
  const head = parseReceipt(receipt)
  if (head) return containsHead(ledger, head)
  throw new ReticentError(
    'usage',
    {},
    {
      message: 'this is not a receipt',
      hint: 'A receipt is the number of a row, a colon and 64 hexadecimal digits; every answer carries one.',
    },
  )
}
