import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyIntegers } from '../../../../test/contract/any-row.ts'
import { decodeIntegers, encodeIntegers } from './integers.ts'

/** The slow twin: one integer at a time, all in BigInt, straight from the description of the format. */
function plainly(vectors: readonly ArrayLike<number | bigint>[]): number[] {
  const one = (value: number | bigint): number[] => {
    const big = BigInt(value)
    const size = big < 0n ? -big : big
    const groups = [Number(size % 64n) * 2 + (big < 0n ? 1 : 0)]
    for (let rest = size / 64n; rest > 0n; rest /= 128n) groups.push(Number(rest % 128n))
    return groups.map((group, i) => (i < groups.length - 1 ? group + 128 : group))
  }
  return [vectors.length, ...vectors.flatMap((v) => [v.length, ...Array.from(v)])].flatMap(one)
}

describe('integers as bytes', () => {
  test('come back as they were, and take the bytes that the format says', () => {
    fc.assert(
      fc.property(fc.array(anyIntegers(), { maxLength: 4 }), (vectors) => {
        const bytes = encodeIntegers(vectors)
        expect([...bytes]).toEqual(plainly(vectors))
        expect(decodeIntegers(bytes)).toEqual(vectors)
      }),
    )
  })

  test('are doubles up to 2^53 - 1 and BigInts from 2^53 on', () => {
    const edge = Number.MAX_SAFE_INTEGER
    expect(decodeIntegers(encodeIntegers([[BigInt(edge), -BigInt(edge)]]))).toEqual([Float64Array.of(edge, -edge)])
    for (const large of [2n ** 53n, 2n ** 53n + 1n, 2n ** 54n - 1n, 2n ** 55n - 1n, 2n ** 70n])
      for (const value of [large, -large]) expect(decodeIntegers(encodeIntegers([[1n, value]]))).toEqual([[1n, value]])
  })

  test('have no minus zero', () => {
    const [vector] = decodeIntegers(encodeIntegers([Float64Array.of(-0)]))
    expect(Object.is(vector![0], 0)).toBe(true)
  })

  test('are nothing else than integers', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => encodeIntegers([Float64Array.of(value)])).toThrow(RangeError)
  })

  test('are refused where one is longer than any number that was sold', () => {
    const long = (bytes: number, middle: number) => Uint8Array.of(2, 2, ...Array<number>(bytes).fill(middle), 1)
    for (const [bytes, middle] of [
      [600, 128],
      [100_000, 255],
    ] as const)
      expect(() => decodeIntegers(long(bytes, middle))).toThrow(expect.objectContaining({ code: 'ledger-corrupt' }))
    // 2^(6 + 7·160), of which a double would make something that is no number.
    expect(decodeIntegers(long(160, 128))).toEqual([[2n ** 1119n]])
  })
  test('are refused when cut short, prolonged, or written in a second way', () => {
    const corrupt = expect.objectContaining({ code: 'ledger-corrupt' })
    fc.assert(
      fc.property(fc.array(anyIntegers(), { maxLength: 3 }), fc.nat(), (vectors, cut) => {
        const bytes = encodeIntegers(vectors)
        expect(() => decodeIntegers(bytes.slice(0, cut % bytes.length))).toThrow(corrupt)
        expect(() => decodeIntegers(Uint8Array.of(...bytes, 0))).toThrow(corrupt)
      }),
    )
    const onlyVector = (...bytes: number[]) => Uint8Array.of(2, 2, ...bytes)
    expect(decodeIntegers(onlyVector(2))).toEqual([Float64Array.of(1)])
    expect(() => decodeIntegers(onlyVector(130, 0))).toThrow(corrupt)
    expect(() => decodeIntegers(onlyVector(130, 128, 128, 128, 128, 128, 128, 128, 0))).toThrow(corrupt)
    expect(() => decodeIntegers(onlyVector(1))).toThrow(corrupt)
    expect(() => decodeIntegers(Uint8Array.of(2, 254, 255, 255, 255, 127))).toThrow(corrupt)
    expect(() => decodeIntegers(Uint8Array.of(3))).toThrow(corrupt)
  })
})
