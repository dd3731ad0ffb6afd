import { sha256, sha256Stream } from '../hash/index.ts'
import { requireOpen } from './closing.ts'
import { corrupt } from './damage.ts'
import type { Head, StoredRow } from './ledger.ts'
import { decodeRow } from './rows/decode.ts'
import type { Encoded } from './rows/encode.ts'

/** A row as a ledger keeps it. */
export interface RawRow extends Head, Encoded {
  readonly at: string
}

/** The hash before the first row. It names the format, so chains of two formats have nothing in common. */
export const genesis: Head = { seq: 0, hash: sha256('reticent ledger, format 1') }

/** Different rows, or rows in different places, give different bytes here, because every part is prefixed by its length. */
function hashAfter(previous: Head, at: string, { body, blob }: Encoded): string {
  const texts = `${previous.hash}:${previous.seq + 1}:${hashedTexts(at, body, blob)}`
  return sha256Stream().update(texts).update(blob).digest('hex')
}

/** What is hashed of a row between its number and its blob. */
export const hashedTexts = (at: string, body: string, blob: Uint8Array): string =>
  `${part(at)}${part(body)}${blob.length}:`

const part = (text: string) => `${Buffer.byteLength(text)}:${text}`

/** The row that comes after `previous`. */
export const linkRow = (previous: Head, at: string, encoded: Encoded): RawRow => ({
  seq: previous.seq + 1,
  at,
  ...encoded,
  hash: hashAfter(previous, at, encoded),
})

/** Throws `ledger-corrupt` unless these rows, in this order, come right after `from`. The last of them, or `from`. */
export function verifyChain(rows: Iterable<RawRow>, from: Head = genesis): Head {
  let head = from
  for (const row of rows) {
    const facts = { row: head.seq + 1 }
    if (row.seq !== head.seq + 1) throw corrupt(`row ${facts.row} is missing`, facts)
    if (row.hash !== hashAfter(head, row.at, row))
      throw corrupt(`the hash of row ${facts.row} does not match its content and the row before`, facts)
    head = row
  }
  return { seq: head.seq, hash: head.hash }
}

/** The rows after `from`, checked and read; throws if the ledger was closed. */
export function readChain(rows: readonly RawRow[], from: Head): StoredRow[] {
  verifyChain(rows, from)
  requireOpen(rows)
  return rows.map(storedRow)
}

function storedRow(raw: RawRow): StoredRow {
  try {
    return { seq: raw.seq, hash: raw.hash, at: raw.at, row: decodeRow(raw) }
  } catch {
    throw corrupt(`row ${raw.seq} is of a kind or has a field that this version does not know`, { row: raw.seq })
  }
}
