import type { RawRow } from './chain.ts'
import { decodeRow } from './rows/decode.ts'
import type { Create } from './rows/row.ts'
import { prepareRow, Tail } from './tail.ts'

/** All that a new ledger begins with: one row, or those of the ledger that is moved. */
export interface Contents {
  readonly rows: readonly RawRow[]
  readonly secret: Uint8Array
}

/** Awaited right before a new ledger appears: the rows that still belong into it. */
export type LastRows = () => Promise<readonly RawRow[]>

/** Of a ledger that begins. */
export function newContents(row: Create, secret: Uint8Array, at: string): Contents {
  const ready = prepareRow(row)
  return { rows: [new Tail().next(ready.row, ready.encoded, at).raw], secret }
}

/** The measurement that a stored row refines. */
export function parentOf(raw: RawRow): string | null {
  const row = decodeRow(raw)
  return row.kind === 'refine' ? row.parent : null
}
