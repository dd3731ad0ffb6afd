import { fromNumber, parseRational, type Rational } from '../numeric/index.ts'
import { nearest, ReticentError } from '../schema/index.ts'

/** A number above 0 that somebody gave, as a number or as text: 0.1 means one tenth exactly. */
export function positive(given: number | string, what: string, hint: string): Rational {
  const value =
    typeof given === 'string' ? parseRational(given) : Number.isFinite(given) ? fromNumber(given) : undefined
  if (value && value.num > 0n) return value
  throw usage(`${what} must be a number above 0, not ${JSON.stringify(given)}`, hint)
}

export const usage = (message: string, hint?: string): ReticentError =>
  new ReticentError('usage', {}, { message, hint })

/** A mistyped option must not be a limit that nobody keeps. */
export function refuseUnknown(options: object, names: { readonly [name: string]: true }): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue
    const meant = nearest(name, Object.keys(names))
    throw usage(`there is no option ${name}${meant ? `; did you mean ${meant}?` : ''}`)
  }
}
