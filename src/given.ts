import { fromNumber, parseRational, type Rational } from './numeric/index.ts'
import { ReticentError } from './schema/index.ts'

/** A number above 0 that somebody gave, as a number or as text: 0.1 means one tenth exactly. */
export function positive(given: number | string, what: string, hint: string): Rational {
  const value =
    typeof given === 'string' ? parseRational(given) : Number.isFinite(given) ? fromNumber(given) : undefined
  if (value && value.num > 0n) return value
  throw usage(`${what} must be a number above 0, not ${JSON.stringify(given)}`, hint)
}

export const usage = (message: string, hint?: string): ReticentError =>
  new ReticentError('usage', {}, { message, hint })
