import { compare, divide, fromNumber, one, parseRational, type Rational, rational, toNumber } from '../numeric/index.ts'
import { nearest, suggesting, usage } from '../schema/index.ts'

/**
 * A user-supplied number above 0, as a number or as text: 0.1 means exactly one tenth. Beyond 10^30, or another given
 * power of ten, numbers are meaningless and arithmetic would overflow.
 */
export function positive(given: number | string, what: string, hint: string, power = 30): Rational {
  const value =
    typeof given === 'string' ? parseRational(given) : Number.isFinite(given) ? fromNumber(given) : undefined
  if (!value || value.num <= 0n) throw usage(`${what} must be a number above 0, not ${quoted(given)}`, hint)
  const most = rational(10n ** BigInt(power))
  if (compare(value, divide(one, most)) < 0 || compare(value, most) > 0)
    throw usage(`${what} must lie between 10^-${power} and 10^${power}, but is ${quoted(given)}`, hint)
  return value
}

function quoted(given: number | string): string {
  const text = JSON.stringify(given)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** Such a number whose products with errors and scales do not overflow. */
export const ordinary = (given: number | string, what: string, hint: string): number =>
  toNumber(positive(given, what, hint, 15))

/** A number between 0 and 1. */
export function shareOf(given: number | string, what: string): Rational {
  const share = positive(given, what, '0.02 is a fiftieth.')
  if (compare(share, one) >= 0) throw usage(`${what} must be below 1`)
  return share
}

/** A mistyped option must not become a limit that is silently ignored. */
export function refuseUnknown(options: object, names: { readonly [name: string]: true }): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue
    const meant = nearest(name, Object.keys(names))
    throw usage(`there is no option ${name}${meant ? `; did you mean ${meant}?` : ''}`)
  }
}

/** One of these names. */
export function oneOf<Name extends string>(what: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given)
  if (found) return found
  throw usage(`there is no ${what} ${suggesting(given, names)}`, `There are ${names.join(', ')}.`)
}
