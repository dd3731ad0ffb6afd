import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Factor, factorTable } from '../../query/index.ts'
import { formulaStep, formulaSteps, formulaSum, isFormula } from './line-sums.ts'

const size = 12
const within = fc
  .tuple(fc.nat(size - 1), fc.nat(size - 1))
  .map(([x, y]) => ({ from: Math.min(x, y), to: Math.max(x, y) }))
const number = fc.integer({ min: -20, max: 20 })
const factor: fc.Arbitrary<Factor> = fc.oneof(
  within.map((range) => ({ kind: 'interval' as const, ...range })),
  fc
    .tuple(within, number, number, fc.constantFrom(1 as const, 2 as const))
    .map(([range, slope, shift, power]) => ({ kind: 'value' as const, slope, shift, power, ...range })),
)
const steps = (f: Factor) =>
  factorTable(f, size).map((value, code, all) => (code === 0 ? value : value - all[code - 1]!))
const product = (x: Float64Array, y: Float64Array, from: number) => {
  let sum = 0
  for (let code = from; code < size; code++) sum += x[code]! * y[code]!
  return sum
}

test('sums of values in closed form are those over the codes', () => {
  let found = 0
  fc.assert(
    fc.property(factor, factor, (g, h) => {
      const sum = formulaSum(g, h)
      if (sum !== undefined) {
        expect(sum).toBe(product(factorTable(g, size), factorTable(h, size), 0))
        found++
      }
      expect(formulaSteps(g, h, size)).toBe(product(steps(g), steps(h), 1))
      if (isFormula(g)) expect(Array.from({ length: size }, (_, code) => formulaStep(g, code))).toEqual([...steps(g)])
    }),
    { numRuns: 1000 },
  )
  // Two squares, or a square and a value, have no closed form here.
  expect(found).toBeGreaterThan(300)
})

test('where doubles might round there is no closed form', () => {
  const value = { kind: 'value', slope: 1, shift: 2 ** 40, power: 2, from: 0, to: size - 1 } as const
  expect(formulaSum(value, { kind: 'interval', from: 0, to: size - 1 })).toBeUndefined()
  expect(formulaSteps(value, value, size)).toBeUndefined()
})

test('a factor of another kind has none', () => {
  const table = { kind: 'table', values: Array.from({ length: size }, (_, code) => code) } as const
  const all = { kind: 'interval', from: 0, to: size - 1 } as const
  expect([formulaSum(table, all), formulaSteps(all, table, size)]).toEqual([undefined, undefined])
})
