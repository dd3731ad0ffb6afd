import { createHash, createHmac, type Hash } from 'node:crypto'

/** SHA-256 as 64 hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** SHA-256 of data that comes in pieces. */
export const sha256Stream = (): Hash => createHash('sha256')

/** HMAC-SHA-256 as 64 hexadecimal digits: a digest that says nothing to whoever lacks the key. */
export const keyedHash = (key: Uint8Array, data: string | Uint8Array): string =>
  createHmac('sha256', key).update(data).digest('hex')

/** In front of the digest of a source that has no snapshots: what it was digested from cannot be asked again. */
const unpinned = 'unpinned-'

/** The fingerprint of a source that can change while it is read, and whose content alone says what it was. */
export const withoutSnapshot = (digest: string): string => `${unpinned}${digest}`

/** Whether a fingerprint is of a source that answers again from the very same snapshot. */
export const isPinned = (fingerprint: string): boolean => !fingerprint.startsWith(unpinned)
