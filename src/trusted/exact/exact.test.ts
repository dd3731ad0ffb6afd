import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { open, openTable } from './open.ts'
import { seal, sealTable } from './seal.ts'

const secret = seal(4711)

test('an exact answer shows itself to open alone', () => {
  expect(open(secret)).toBe(4711)
  expect(() => open({} as typeof secret)).toThrow('not a sealed answer')
})

test('printing and serialising show nothing', () => {
  const copies = [
    String(secret.toString()),
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ secret }, { showHidden: true, depth: 9 }),
  ]
  for (const text of copies) expect(text).not.toContain('4711')
  expect(Reflect.ownKeys(secret)).toEqual([])
  expect(() => structuredClone(secret)).not.toThrow()
  expect(Reflect.ownKeys(structuredClone(secret))).toEqual([])
})

test('arithmetic and comparison are refused', () => {
  const value = secret as unknown as number
  expect(() => value + 1).toThrow('cannot be used as a value')
  expect(() => value < 5000).toThrow('cannot be used as a value')
  expect(() => `${value}`).toThrow('cannot be used as a value')
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison is the point
  expect(() => value == 4711).toThrow('cannot be used as a value')
})

test('a table of answers shows each to open alone, and itself to openTable', () => {
  const values = Float64Array.of(47, 11, 4711)
  const table = sealTable(values, Float64Array.of(0, 2, 3))
  expect([0, 1].map((place) => open(table.at(place)!))).toEqual([Float64Array.of(47, 11), Float64Array.of(4711)])
  for (const place of [-1, 2, 0.5 + 2]) expect(table.at(place)).toBeUndefined()
  expect(openTable(table)).toEqual({ values, starts: Float64Array.of(0, 2, 3) })
  expect(openTable([seal(values)])).toBeUndefined()
  for (const text of [JSON.stringify(table), inspect(table, { showHidden: true, depth: 9 })])
    expect(text).not.toContain('4711')
  expect(Reflect.ownKeys(table)).toEqual(['length'])
})
