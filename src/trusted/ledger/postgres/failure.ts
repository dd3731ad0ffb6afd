import { type Facts, ReticentError } from '../../../schema/index.ts'
import { corrupt } from '../damage.ts'

/** What PostgreSQL calls its errors (SQLSTATE), or Node those of a connection; never their texts, which may quote rows. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What a failure of the server means for whoever asks. Anything unforeseen passes through: it is a mistake of ours. */
export function explain(error: unknown, place: string): unknown {
  if (error instanceof ReticentError) return error
  const code = codeOf(error)
  if (/^(55P03|57014|40001|40P01|53300)$/.test(code)) return busy(place)
  if (/^(42P01|3F000)$/.test(code)) return missing(place)
  if (code === '42501') return unwritable(place, 'permission denied')
  if (code === '25006') return unwritable(place, 'the server or the role is read-only')
  if (/^(XX00[12]|22|23|42)/.test(code)) return corrupt(`PostgreSQL cannot use ${place} (${code})`, { place })
  if (/^(53|54|58)/.test(code)) return unwritable(place, 'no space or memory left, or a disk error')
  if (code === '08P01' || isUnexpected(error, code))
    return unreachable(place, 'its replies do not belong to what was asked')
  if (isGone(error, code)) return unreachable(place, 'the connection was lost')
  return error
}

/** Whether the connection has ended; `pg` tells some of these by an error without a code. */
const isGone = (error: unknown, code: string): boolean =>
  /^(08|57P|25P|E[A-Z]+$)/.test(code) ||
  (error instanceof Error && code === '' && /connection|client/i.test(error.message))

/** What the driver says of a reply that nobody waits for; also without a code. */
const isUnexpected = (error: unknown, code: string): boolean =>
  error instanceof Error && code === '' && /^Received unexpected/.test(error.message)

/** A failure to connect: all of them say that there is no way to the ledger. */
export function notConnected(error: unknown, place: string): unknown {
  if (!(error instanceof ReticentError) || error.code === 'policy-invalid') return error
  return unreachable(place, error.message)
}

const unreachable = (place: string, reason: string) =>
  failure('ledger-unreachable', place, reason, {
    message: 'the ledger cannot be reached, so nothing can be asked',
    hint: 'Check the address, the user and the password (in the policy, its env:NAME, PGPASSWORD or ~/.pgpass), and the server. `reticent history` shows whether a row that was being written arrived.',
  })

export const busy = (place: string) =>
  failure('ledger-busy', place, undefined, {
    message: 'other processes keep the ledger locked; nothing was written',
    hint: 'Try again. If it stays locked, look for a process that hangs.',
  })

const unwritable = (place: string, reason: string) =>
  failure('ledger-unwritable', place, reason, {
    message: 'the ledger cannot be written, so nothing can be bought',
    hint: 'The role that Reticent runs as must have the rights that `reticent ledger create` gives: see "Share a ledger" in docs/ledger.md.',
  })

export const missing = (place: string) =>
  failure('ledger-missing', place, undefined, {
    message: 'there is no ledger, so there is no budget to ask from',
    hint: 'The owner makes one, once, with `reticent ledger create --owner …`.',
  })

export const exists = (place: string) =>
  failure('ledger-exists', place, undefined, {
    message: 'there is already a ledger, or a schema of that name; it is never overwritten',
    hint: 'Use it. A new budget for the same data would be no budget at all.',
  })

/** What stands there does not keep what is written, or not as it was written. */
export const unsafe = (place: string, reason: string, hint: string) =>
  failure('ledger-unsafe', place, reason, {
    message: 'a ledger cannot be stored safely there, so nothing can be asked',
    hint,
  })

function failure(
  code: ReticentError['code'],
  place: string,
  reason: string | undefined,
  words: { message: string; hint: string },
): ReticentError {
  const facts: Facts = reason === undefined ? { place } : { place, reason }
  return new ReticentError(code, facts, { ...words, detail: reason === undefined ? place : `${place}: ${reason}` })
}
