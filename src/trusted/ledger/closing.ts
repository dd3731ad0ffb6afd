import { canonicalJson } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import type { Encoded } from './rows/encode.ts'

/**
 * The last row of a ledger that was moved elsewhere. It is appended like any row, so if an append and a move come at
 * once, only one succeeds, and other processes with the ledger open find it at the next read. It is not copied to the
 * new ledger, and no `Row` has this form, so older versions refuse such a ledger, too.
 */
export const closing = (movedTo: string): Encoded => ({
  body: canonicalJson({ closed: { movedTo } }),
  blob: new Uint8Array(),
})

/** Behind it once the new ledger has appeared: from then on there is nothing to finish, wherever the same move is run again. */
export const arrival = (movedTo: string): Encoded => ({
  body: canonicalJson({ closed: { arrived: true, movedTo } }),
  blob: new Uint8Array(),
})

export const hasArrived = ({ body }: Encoded): boolean => body.startsWith('{"closed":{"arrived":true,')

/** Where the ledger that ends in this row was moved to; undefined where it is a row like others. */
export function movedTo({ body }: Encoded): string | undefined {
  if (!body.startsWith('{"closed":')) return undefined
  try {
    const place: unknown = JSON.parse(body).closed?.movedTo
    return typeof place === 'string' ? place : undefined
  } catch {
    return undefined
  }
}

/** Throws where these rows, the newest of a ledger, end in its closing. */
export function requireOpen(rows: readonly Encoded[]): void {
  const place = rows.length > 0 ? movedTo(rows.at(-1)!) : undefined
  if (place !== undefined) throw closed(place)
}

/** A file of that name on another machine, or a server that goes by the same name there, is not where it went. */
export const elsewhere = (place: string): ReticentError =>
  new ReticentError(
    'ledger-closed',
    { movedTo: place },
    {
      message: 'this ledger was moved completely, but the new one is not here',
      detail: `to ${place}`,
      hint: 'Run this on the machine that it was moved to. If the new ledger is lost, restore it from a backup: `reticent ledger restore`.',
    },
  )

export const closed = (place: string): ReticentError =>
  new ReticentError(
    'ledger-closed',
    { movedTo: place },
    {
      message: 'this ledger was closed, because it was moved',
      detail: `to ${place}`,
      hint: 'Name the new place under `ledger:` in the policy. If there is no ledger there, the move was interrupted: run the same `reticent ledger move` again.',
    },
  )
