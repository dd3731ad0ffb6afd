/*
 * -ln u for a uniform u of 52 bits, in doubles with a proven bound. Math.log may be as wrong as it likes; this may not.
 *
 * u = f·2^-(z+1) with 1 ≤ f < 2. The seven bits after f's leading one choose c = C/2048 near 1/f, so that r = f·c - 1
 * is small and -ln u = (z+1) ln 2 + ln c - ln(1+r). Tables are computed in integers; the error is bounded above
 * `minusLog`.
 */

const cells = 128
const denominator = 2048n
const tableBits = 96n

/** 2^96 · ln(num/den), to a few units: 2 artanh(y) = 2(y + y³/3 + …) with y = (num-den)/(num+den), |y| ≤ 1/3. */
function fixedLog(num: bigint, den: bigint): bigint {
  const [p, q] = [num - den, num + den]
  let power = (p << tableBits) / q
  let sum = 0n
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k
    power = (power * p * p) / (q * q)
  }
  return 2n * sum
}

/** A fixed-point number as the nearest double. */
const nearest = (value: bigint): number => Number(value) / 2 ** Number(tableBits)

const ln2 = nearest(fixedLog(2n, 1n))
const reciprocals = new Float64Array(cells)
const logs = new Float64Array(cells)
for (let i = 0; i < cells; i++) {
  // 1/f at the middle of the cell, (128 + i + 1/2)/128, to the nearest 1/2048.
  const c = BigInt(Math.round((2048 * 256) / (257 + 2 * i)))
  reciprocals[i] = Number(c) / Number(denominator)
  logs[i] = nearest(fixedLog(c, denominator))
}

/** Words below this have more than 20 leading zeros: too rare to be worth a fast answer. */
export const leastHighWord = 2 ** 12

/** |minusLog(u) + ln u| stays below this, for u exactly (high·2^20 + low)/2^52. */
export const minusLogError = 2 ** -47

/**
 * -ln((high·2^20 + low)/2^52) for 2^12 ≤ high < 2^32 and 0 ≤ low < 2^20.
 *
 * Error: f is exact (52 bits). |f·c - 1| ≤ 0.0045: half a cell is at most 1/257 of its middle, rounding C adds at most
 * 2^-12 f. The product rounds by at most 2^-53 and the subtraction is exact (Sterbenz), which moves ln(1+r) by < 2^-52.
 * The series stops after r^6: |r|^7/7 < 2^-56. Horner's roundings are below 8·2^-53·|r| < 2^-57. ln 2 is 2^-54 off at
 * most, times 20: 2^-49.6; the product with z+1 ≤ 20 rounds by 2^-50; ln c by 2^-54; two sums below 16 round by 2^-50
 * each. Together below 2^-47.7.
 */
export function minusLog(high: number, low: number): number {
  const zeros = Math.clz32(high)
  const cell = ((high << zeros) >>> 24) - cells
  const f = (high * 2 ** 20 + low) * powers[zeros]!
  const r = f * reciprocals[cell]! - 1
  const series = r * (1 - r * (1 / 2 - r * (1 / 3 - r * (1 / 4 - r * (1 / 5 - r * (1 / 6))))))
  return (zeros + 1) * ln2 + logs[cell]! - series
}

/**
 * 2^(z-51): what brings 52 bits with z leading zeros to [1, 2); also the largest relative width of their last place.
 */
export const powers = Float64Array.from({ length: 32 }, (_, z) => 2 ** (z - 51))
