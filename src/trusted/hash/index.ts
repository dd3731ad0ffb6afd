import { createHash, createHmac, type Hash } from 'node:crypto'

/** SHA-256 as 64 hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** SHA-256 of data that comes in pieces. */
export const sha256Stream = (): Hash => createHash('sha256')

/** HMAC-SHA-256 as 64 hexadecimal digits: a digest that says nothing to whoever lacks the key. */
export const keyedHash = (key: Uint8Array, data: string | Uint8Array): string =>
  createHmac('sha256', key).update(data).digest('hex')
