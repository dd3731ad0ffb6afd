import { compare, fromNumber, one, parseRational, type Rational, toNumber } from '../numeric/index.ts'
import { nearest, usage } from '../schema/index.ts'

/** A number above 0 that somebody gave, as a number or as text: 0.1 means one tenth exactly. */
export function positive(given: number | string, what: string, hint: string): Rational {
  const value =
    typeof given === 'string' ? parseRational(given) : Number.isFinite(given) ? fromNumber(given) : undefined
  if (value && value.num > 0n) return value
  throw usage(`${what} must be a number above 0, not ${JSON.stringify(given)}`, hint)
}

/** Beyond this range products of errors and scales overflow. */
const [least, most] = [1e-15, 1e15]

/** Such a number, in a range in which everything can be computed. */
export function ordinary(given: number | string, what: string, hint: string): number {
  const value = toNumber(positive(given, what, hint))
  if (value >= least && value <= most) return value
  throw usage(`${what} must lie between 10^-15 and 10^15, not at ${JSON.stringify(given)}`, hint)
}

/** A number between 0 and 1. */
export function shareOf(given: number | string, what: string): Rational {
  const share = positive(given, what, '0.02 is a fiftieth.')
  if (compare(share, one) >= 0) throw usage(`${what} must be below 1`)
  return share
}

/** A mistyped option must not be a limit that nobody keeps. */
export function refuseUnknown(options: object, names: { readonly [name: string]: true }): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue
    const meant = nearest(name, Object.keys(names))
    throw usage(`there is no option ${name}${meant ? `; did you mean ${meant}?` : ''}`)
  }
}
