import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPieces } from './json-pieces.ts'

const printed = (value: unknown) => [...jsonPieces(value)].join('')

test('the pieces are what JSON.stringify makes', () => {
  const options = { withDate: true, withTypedArray: true, withSparseArray: true, withNullPrototype: true, maxDepth: 5 }
  fc.assert(
    fc.property(fc.anything(options), (value) => {
      expect(printed(value)).toBe(JSON.stringify(value) ?? 'null')
    }),
    { numRuns: 1000 },
  )
})

test('what is left out is left out', () => {
  const value = { a: undefined, b: [undefined, () => 1, Number.NaN, [[]]], c: { d: undefined }, e: {}, f: [{}] }
  expect(printed(value)).toBe(JSON.stringify(value))
  expect(printed({ a: undefined, b: Symbol('b'), c: [[]] })).toBe('{"c":[[]]}')
})
