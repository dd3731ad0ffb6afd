import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { axesOf, sumsAlong } from './axes.ts'
import { projectOntoSums } from './slices.ts'
import { wholeTable } from './whole-tables.ts'

const sizesOf = (axes: number, most: number) =>
  fc.array(fc.integer({ min: 1, max: most }), { minLength: axes, maxLength: axes })

/** A table that is no whole one, with whole sums: from many cells of a fraction to few large ones. */
function unrounded(sizes: readonly number[], seed: number) {
  const { uniform } = seededBits(seed)
  const power = 1 + 12 * uniform()
  const truth = Float64Array.from({ length: sizes.reduce((product, n) => product * n, 1) }, () =>
    Math.floor(100 * uniform() ** power),
  )
  const sums = axesOf(sizes).map((axis) => sumsAlong(truth, axis))
  const noisy = truth.map((v) => v + 5 * (uniform() - uniform()))
  return { sums, table: projectOntoSums(noisy, sums, { gap: 0.5, rounds: 50 }) }
}

const checkSums = (whole: Float64Array, sums: readonly Float64Array[]) => {
  expect(whole.every((v) => Number.isInteger(v) && v >= 0)).toBe(true)
  for (const [i, axis] of axesOf(sums.map(({ length }) => length)).entries())
    expect([...sumsAlong(whole, axis)]).toEqual([...sums[i]!])
}
const isNeither = (whole: Float64Array, table: Float64Array) =>
  whole.filter((v, i) => v !== Math.floor(table[i]!) && v !== Math.ceil(table[i]!)).length

describe('whole tables', () => {
  test('of two axes have the sums, and every number is rounded up or down', () => {
    fc.assert(
      fc.property(sizesOf(2, 25), fc.nat(), (sizes, seed) => {
        const { table, sums } = unrounded(sizes, seed)
        const whole = wholeTable(table, sums)
        checkSums(whole, sums)
        expect(isNeither(whole, table)).toBe(0)
        expect(wholeTable(table, sums)).toEqual(whole)
      }),
    )
  })

  test('of more axes have the sums, and hardly a number is not rounded up or down', () => {
    let [neither, cells] = [0, 0]
    for (let seed = 0; seed < 300; seed++) {
      const sizes = seed % 2 === 0 ? [2 + (seed % 9), 7, 5] : [3, 4, 2 + (seed % 3), 3]
      const { table, sums } = unrounded(sizes, seed)
      const whole = wholeTable(table, sums)
      checkSums(whole, sums)
      cells += table.length
      neither += isNeither(whole, table)
      // 1 where 0 was to be rounded, at worst.
      for (const [i, v] of whole.entries()) expect(Math.abs(v - table[i]!)).toBeLessThanOrEqual(1)
    }
    expect(neither / cells).toBeLessThan(1e-3)
  })

  test('come out too where taking the largest fractions first leaves a row with nothing to take', () => {
    // The first two that go up are (0, 1) and (1, 0): the last row and the last column are left with a 0 between them.
    const table = Float64Array.of(0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0)
    const sums = [0, 1].map(() => Float64Array.of(1, 1, 1))
    checkSums(wholeTable(table, sums), sums)
    expect(isNeither(wholeTable(table, sums), table)).toBe(0)
  })

  test('have no 1 for next to nothing where there is another way', () => {
    const table = Float64Array.of(0.002, 0.499, 0.499, 0.499, 0.002, 0.499, 0.499, 0.499, 0.002)
    const sums = [0, 1].map(() => Float64Array.of(1, 1, 1))
    const whole = wholeTable(table, sums)
    checkSums(whole, sums)
    expect([whole[0], whole[4], whole[8]]).toEqual([0, 0, 0])
  })

  test('of three axes may have to go beyond up and down', () => {
    // Two slices on every axis, half a record in four cells any two of which share a slice: no two of them fill all slices.
    const table = new Float64Array(8)
    for (const cell of [0b000, 0b011, 0b101, 0b110]) table[cell] = 0.5
    const sums = [0, 1, 2].map(() => Float64Array.of(1, 1))
    const whole = wholeTable(table, sums)
    checkSums(whole, sums)
    expect(isNeither(whole, table)).toBeGreaterThan(0)
  })

  test('of nothing are nothing, and of one axis its sums', () => {
    expect([...wholeTable(new Float64Array(6), [new Float64Array(2), new Float64Array(3)])]).toEqual([0, 0, 0, 0, 0, 0])
    expect([...wholeTable(Float64Array.of(1.5, 2.5), [Float64Array.of(2, 2)])]).toEqual([2, 2])
  })
})
