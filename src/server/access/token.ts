import { createHash, randomBytes } from 'node:crypto'

/** What a token begins with, so that people and scanners recognise one. */
const prefix = 'ret_'

/** 256 random bits: nobody guesses one, so a plain hash of it is enough to keep. */
export const newToken = (): string => prefix + randomBytes(32).toString('base64url')

/** Tells tokens, or jobs, apart; no secret. */
export const newId = (): string => randomBytes(6).toString('hex')

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The token of an Authorization header. */
export function bearerIn(header: string | undefined): string | undefined {
  const found = header === undefined ? null : /^Bearer +(\S{1,200})$/i.exec(header)
  return found?.[1]
}
