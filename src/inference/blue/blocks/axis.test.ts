import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integers } from '../../../../test/support/estimates.ts'
import type { Indicator } from '../../../query/index.ts'
import { universe } from '../../../schema/index.ts'
import { columnOf, tableOf } from '../column.ts'
import { Axis } from './axis.ts'
import { classesOf, cutGroups } from './classes.ts'
import { shapeOf } from './column-key.ts'

const codes = ({ from, to }: { from: number; to: number }) => Array.from({ length: to - from + 1 }, (_, k) => from + k)

/** Disjoint ranges, some codes in none, in any order; more codes than are kept written out, too. */
const sizes = fc.constantFrom(6, 20, 5000)
const partition = sizes.chain((size) =>
  fc.tuple(
    fc.constant(size),
    fc
      .uniqueArray(fc.nat(size), { minLength: 2, maxLength: 6 })
      .map((ends) => ends.sort((x, y) => x - y))
      .chain((ends) =>
        fc.shuffledSubarray(
          ends.slice(1).map((end, k) => ({ from: ends[k]!, to: end - 1 })),
          { minLength: 1 },
        ),
      ),
    fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([x, y]) => ({ from: Math.min(x, y), to: Math.max(x, y) })),
  ),
)

test('groups that are ranges are compared as the same groups code by code', () => {
  fc.assert(
    fc.property(partition, ([size, ranges, asked]) => {
      const over = universe([integers('a', size)])
      const [byRange, byCode] = [
        ranges.map((range): Indicator => ({ kind: 'interval', ...range })),
        ranges.map((range): Indicator => ({ kind: 'set', codes: codes(range) })),
      ].map((groups) => new Axis(0, over.attributes[0]!, { attribute: 'a', groups }))
      expect(byRange!.groupOf).toEqual(byCode!.groupOf)
      expect(byCode!.ranges).toBeUndefined()
      for (const h of [undefined, columnOf({ kind: 'interval', ...asked }, size)]) {
        expect(byRange!.shares(undefined, h)).toEqual(byCode!.shares(undefined, h))
        expect(byRange!.live([undefined])).toEqual(byCode!.live([undefined]))
        if (!h) continue
        const texts = (axis: Axis) => cutGroups(axis, undefined, h).map((column) => shapeOf(column).text)
        expect(texts(byRange!)).toEqual(texts(byCode!))
        const classes = (axis: Axis) =>
          classesOf(axis, [undefined], [h]).map(({ along, columns }) => [
            along,
            columns.map((one) => one && [...tableOf(one)]),
          ])
        expect(classes(byRange!)).toEqual(classes(byCode!))
      }
    }),
    { numRuns: 200 },
  )
})

test('columns have the same shape if they are multiples of each other, however they are written', () => {
  const size = 300
  const values = (at: (code: number) => number) => Array.from({ length: size }, (_, code) => at(code))
  const value = { kind: 'value', slope: 6, shift: -900, power: 1, from: 20, to: 280 } as const
  const table = { kind: 'table', values: values((code) => (code < 20 || code > 280 ? 0 : 150 - code)) } as const
  const [x, y] = [shapeOf(columnOf(value, size)), shapeOf(columnOf(table, size))]
  expect(x.text).toBe(y.text)
  // Both begin with the sign of their first number, which the shape does not have.
  expect([x.times, y.times]).toEqual([-6, 1])
  const other = { ...value, to: 281 }
  expect(shapeOf(columnOf(other, size)).text).not.toBe(x.text)
  const uneven = { kind: 'table', values: values((code) => (code * code * 7) % 11) } as const
  const twice = { kind: 'table', values: uneven.values.map((number) => -2 * number) } as const
  expect(shapeOf(columnOf(twice, size)).text).toBe(shapeOf(columnOf(uneven, size)).text)
  const ranges = { kind: 'set', codes: [1, 2, 3, 7, 9, 10] } as const
  expect(shapeOf(columnOf(ranges, size)).text).toBe('{1-3,7,9-10}')
})
