import { expect, test } from 'vitest'
import { columnOf, crossSteps, crossSum, shortSteps, stepsOf } from './column.ts'

const values = (size: number, at: (code: number) => number) => Array.from({ length: size }, (_, code) => at(code))
const product = (x: readonly number[], y: readonly number[]) =>
  x.reduce((sum, value, code) => sum + value * y[code]!, 0)
const steps = (x: readonly number[]) => x.map((value, code) => (code === 0 ? 0 : value - x[code - 1]!))

// Sums over many codes are remembered by factor: the second time, and with the factors turned round, they are the same.
test.each([10, 300])('inner products of factors over %i codes', (size) => {
  const x = values(size, (code) => (code * 7) % 13)
  const y = values(size, (code) => (code * code) % 5)
  const even = { kind: 'set' as const, codes: values(size / 2, (k) => 2 * k) }
  const tables = { x: { kind: 'table' as const, values: x }, y: { kind: 'table' as const, values: y }, even }
  const plain = { x, y, even: values(size, (code) => (code + 1) % 2) }
  for (const one of ['x', 'y', 'even', 'x'] as const)
    for (const other of ['x', 'y', 'even'] as const) {
      const [g, h] = [columnOf(tables[one], size), columnOf(tables[other], size)]
      expect(crossSum(g, h)).toBe(product(plain[one], plain[other]))
      expect(crossSteps(g, h)).toBe(product(steps(plain[one]), steps(plain[other])))
    }
})

test('steps of steps are few for squares, and multiply to the steps again', () => {
  const size = 500
  const squares = [...values(size - 1, (code) => (code - 200) ** 2), 0]
  const column = columnOf({ kind: 'table', values: squares }, size)
  const { codes, steps: few, times } = shortSteps(column)
  expect(times).toBe(2)
  expect(codes.length).toBeLessThan(8)
  // Adding up undoes a difference.
  const dense = values(size, (code) => few[codes.indexOf(code)] ?? 0)
  for (let i = 0; i < times; i++) for (let code = 1; code < size; code++) dense[code]! += dense[code - 1]!
  const plain = stepsOf(column)
  expect(dense).toEqual(values(size, (code) => plain.steps[plain.codes.indexOf(code)] ?? 0))
})
