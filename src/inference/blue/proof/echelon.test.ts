import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { Echelon } from './echelon.ts'
import { sharesOf } from './fractions.ts'
import { Field, randomPrime } from './modular.ts'

const { uniform } = seededBits(5)
const residue = (prime: number) => Math.floor(uniform() * prime)

describe('arithmetic modulo a prime', () => {
  test('is that of integers', () => {
    for (let round = 0; round < 200; round++) {
      const prime = randomPrime(uniform)
      const field = new Field(prime)
      const [a, b] = [residue(prime), residue(prime)]
      const p = BigInt(prime)
      expect(BigInt(field.multiply(a, b))).toBe((BigInt(a) * BigInt(b)) % p)
      const large = Math.floor((2 * uniform() - 1) * 2 ** 52)
      expect(BigInt(field.reduce(large))).toBe(((BigInt(large) % p) + p) % p)
      expect(field.of(large)).toBe(field.reduce(large))
      if (a > 0) expect(field.multiply(a, field.invert(a))).toBe(1)
    }
  })
})

describe('the span of rows modulo a prime', () => {
  const prime = randomPrime(uniform)
  const field = new Field(prime)
  const combination = (rows: readonly Float64Array[]) =>
    rows.reduce((sum, row) => {
      const times = residue(prime)
      return sum.map((value, k) => field.add(value, field.multiply(times, row[k]!)))
    }, new Float64Array(rows[0]!.length))

  for (const [rank, width] of [
    [1, 1],
    [3, 5],
    [40, 60],
    [64, 64],
    [150, 200],
  ] as const)
    test(`${rank} rows of ${width}: combinations are in it, others are not`, () => {
      const rows = Array.from({ length: rank }, () => Float64Array.from({ length: width }, () => residue(prime)))
      const span = new Echelon(field)
      // Dependent rows among the others, and in two portions.
      span.add(
        [...rows.slice(0, rank >> 1), ...rows.slice(0, rank >> 1).map((row) => row.slice())].map((r) => r.slice()),
      )
      const fork = span.fork()
      span.add(rows.slice(rank >> 1).map((row) => row.slice()))
      for (let k = 0; k < 5; k++) expect(span.contains(combination(rows))).toBe(true)
      for (const row of rows) expect(span.contains(row.slice())).toBe(true)
      const random = () => Float64Array.from({ length: width }, () => residue(prime))
      // A random row lies in a smaller span with probability 1/prime^(width - rank), at most 2·10^-9.
      expect(span.contains(random())).toBe(rank === width)
      if (rank > 1) expect(fork.contains(rows.at(-1)!.slice())).toBe(false)
    })

  test('rows may get longer', () => {
    const span = new Echelon(field)
    span.add([Float64Array.of(1, 2)])
    span.add([Float64Array.of(0, 1, 5)])
    expect(span.contains(Float64Array.of(3, 7, 5))).toBe(true)
    expect(span.contains(Float64Array.of(3, 7, 6))).toBe(false)
  })

  test('600 rows of the largest residues, either side of 0: products stay exact', () => {
    const middle = (prime - 1) / 2
    const rows = Array.from({ length: 600 }, () => Float64Array.from({ length: 610 }, () => middle - residue(9)))
    const span = new Echelon(field)
    span.add(rows.map((row) => row.slice()))
    expect(span.contains(combination(rows))).toBe(true)
    const off = combination(rows)
    off[609] = field.add(off[609]!, 1)
    expect(span.contains(off)).toBe(false)
  })
})

describe('simple fractions', () => {
  test('are found again, and nothing else is taken for one', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 1, max: 1000 }), (num, den) => {
        const [share] = sharesOf(Float64Array.of(num / den + 1e-11), 1e-9)!
        if (num === 0) expect(share).toBeUndefined()
        else expect(share!.num / share!.den).toBe(num / den)
      }),
    )
    for (const value of [Math.PI, Math.SQRT2 * 1000, Number.NaN, Number.POSITIVE_INFINITY])
      expect(sharesOf(Float64Array.of(1, value), 1e-9)).toBeUndefined()
  })
})
