import { expect, test } from 'vitest'
import { dwarfedBelow } from './dwarfed.ts'

const known = (...sizes: number[]) => sizes.map((size) => ({ size, off: 1 }))

test('groups are dwarfed ten times below the smallest of the others', () => {
  expect(dwarfedBelow(known(569, 178, 0))).toBe(17.8)
  expect(dwarfedBelow(known(20, 900, 1000))).toBe(90)
  // Where each is a little smaller than the last, none is.
  expect(dwarfedBelow(known(10_000, 2000, 400, 80, 16))).toBe(1.6)
})

test('what is hidden by noise dwarfs nothing', () => {
  expect(dwarfedBelow([])).toBe(0)
  expect(dwarfedBelow([{ size: 500, off: 400 }])).toBe(0)
  expect(dwarfedBelow([{ size: 500, off: 400 }, ...known(100)])).toBe(10)
})
