/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly num: bigint
  readonly den: bigint
}

/** The greatest common divisor, never negative. */
export const gcd = (a: bigint, b: bigint): bigint => {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

export function rational(num: bigint | number, den: bigint | number = 1n): Rational {
  let n = BigInt(num)
  let d = BigInt(den)
  if (d === 0n) throw new RangeError('a fraction needs a denominator other than 0')
  if (d < 0n) [n, d] = [-n, -d]
  const g = gcd(n, d)
  return g === 1n ? { num: n, den: d } : { num: n / g, den: d / g }
}

export const zero: Rational = Object.freeze({ num: 0n, den: 1n })
export const one: Rational = Object.freeze({ num: 1n, den: 1n })

const decimal = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?\s*$/
const fraction = /^\s*([+-]?\d+)\s*\/\s*(\d+)\s*$/

/** Reads "0.1", "1e-3", "7" or "3/4" exactly; undefined when the text is no number. */
export function parseRational(text: string): Rational | undefined {
  const f = fraction.exec(text)
  if (f) return BigInt(f[2]!) === 0n ? undefined : rational(BigInt(f[1]!), BigInt(f[2]!))
  const d = decimal.exec(text)
  if (!d || (!d[2] && !d[3])) return undefined
  const digits = BigInt((d[2] ?? '') + (d[3] ?? '') || '0')
  const exponent = Number(d[4] ?? 0) - (d[3]?.length ?? 0)
  const signed = d[1] === '-' ? -digits : digits
  return exponent >= 0 ? rational(signed * 10n ** BigInt(exponent)) : rational(signed, 10n ** BigInt(-exponent))
}

/** The number that a person typed: 0.1 becomes 1/10, through its shortest decimal text, not the double nearest to it. */
export function fromNumber(value: number): Rational {
  const exact = Number.isFinite(value) ? parseRational(String(value)) : undefined
  if (!exact) throw new RangeError(`${value} is not a finite number`)
  return exact
}

export const add = (a: Rational, b: Rational): Rational => rational(a.num * b.den + b.num * a.den, a.den * b.den)
export const subtract = (a: Rational, b: Rational): Rational => rational(a.num * b.den - b.num * a.den, a.den * b.den)
export const multiply = (a: Rational, b: Rational): Rational => rational(a.num * b.num, a.den * b.den)
export const divide = (a: Rational, b: Rational): Rational => rational(a.num * b.den, a.den * b.num)
export const negate = (a: Rational): Rational => ({ num: -a.num, den: a.den })

/** Negative, zero or positive as a is below, equal to or above b. */
export const compare = (a: Rational, b: Rational): number => {
  const left = a.num * b.den
  const right = b.num * a.den
  return left < right ? -1 : left > right ? 1 : 0
}

export const equals = (a: Rational, b: Rational): boolean => a.num === b.num && a.den === b.den

export const floor = (a: Rational): bigint => {
  const q = a.num / a.den
  return a.num % a.den < 0n ? q - 1n : q
}
export const ceil = (a: Rational): bigint => -floor(negate(a))

/** Length in binary digits, from the hexadecimal text, which is linear in time. */
const bits = (v: bigint): number => {
  const hex = (v < 0n ? -v : v).toString(16)
  return 4 * hex.length - Math.clz32(Number.parseInt(hex[0]!, 16)) + 28
}

/** The double nearest to the fraction (to within one unit in the last place). */
export function toNumber(a: Rational): number {
  if (a.den === 1n) return Number(a.num)
  const [top, bottom] = [bits(a.num), bits(a.den)]
  if (top <= 53 && bottom <= 53) return Number(a.num) / Number(a.den)
  // Scale so that the integer quotient carries 64 significant bits; back in two steps, since 2^-shift may be below
  // every double where the result is not.
  const shift = 64 - (top - bottom)
  const quotient = shift >= 0 ? (a.num << BigInt(shift)) / a.den : a.num / (a.den << BigInt(-shift))
  const half = Math.trunc(shift / 2)
  return Number(quotient) * 2 ** -half * 2 ** (half - shift)
}

/** "7" or "3/4": read back by parseRational. */
export const toText = (a: Rational): string => (a.den === 1n ? `${a.num}` : `${a.num}/${a.den}`)
