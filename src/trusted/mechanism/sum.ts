import type { Integers } from '../../query/index.ts'

/** As doubles where all of these are such: how answers look depends on what is shown, not on what is hidden behind it. */
export const plain = (values: Integers): Integers =>
  values instanceof Float64Array || !values.every((value) => Number.isSafeInteger(Number(value)))
    ? values
    : Float64Array.from(values, Number)

/** a + b, entry by entry and exactly: doubles where both summands and all sums are below 2^53 in size, else BigInts. */
export const sum = (a: Integers, b: Integers): Integers => combine(a, b, 1)

/** a - b, likewise. */
export const difference = (a: Integers, b: Integers): Integers => combine(a, b, -1)

function combine(a: Integers, b: Integers, sign: 1 | -1): Integers {
  if (a.length !== b.length) throw new RangeError('the vectors differ in length')
  if (a instanceof Float64Array && b instanceof Float64Array) {
    const result = new Float64Array(a.length)
    let safe = true
    for (let i = 0; i < a.length; i++) {
      // A rounded sum of two safe integers is never below 2^53 when the true one is not, so the test sees every
      // overflow.
      result[i] = a[i]! + sign * b[i]!
      safe &&= Number.isSafeInteger(a[i]!) && Number.isSafeInteger(b[i]!) && Number.isSafeInteger(result[i]!)
    }
    if (safe) return result
  }
  return Array.from<number | bigint, bigint>(a, (value, i) => BigInt(value) + BigInt(sign) * BigInt(b[i]!))
}
