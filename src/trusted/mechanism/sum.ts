import type { Integers } from '../../query/index.ts'

/** a + b, entry by entry and exactly: doubles where both summands and all sums are below 2^53 in size, else BigInts. */
export function sum(a: Integers, b: Integers): Integers {
  if (a.length !== b.length) throw new RangeError('the vectors to add differ in length')
  if (a instanceof Float64Array && b instanceof Float64Array) {
    const result = new Float64Array(a.length)
    let safe = true
    for (let i = 0; i < a.length; i++) {
      // A rounded sum of two safe integers is never below 2^53 when the true one is not, so the test sees every overflow.
      result[i] = a[i]! + b[i]!
      safe &&= Number.isSafeInteger(a[i]!) && Number.isSafeInteger(b[i]!) && Number.isSafeInteger(result[i]!)
    }
    if (safe) return result
  }
  return Array.from(a, (value, i) => BigInt(value) + BigInt(b[i]!))
}
