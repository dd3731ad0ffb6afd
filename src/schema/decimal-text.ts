import { multiply, type Rational, rational, toText } from '../numeric/index.ts'

/** A decimal text where the fraction has one, else num/den. */
export function decimalText(value: Rational): string {
  for (let digits = 0; digits <= 20; digits++) {
    const scaled = multiply(value, rational(10n ** BigInt(digits)))
    if (scaled.den !== 1n) continue
    const text = (scaled.num < 0n ? -scaled.num : scaled.num).toString().padStart(digits + 1, '0')
    const whole = text.slice(0, text.length - digits)
    return `${scaled.num < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
  }
  return toText(value)
}
