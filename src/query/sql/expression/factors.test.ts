import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rational, toNumber } from '../../../numeric/index.ts'
import { attribute, label, universe } from '../../../schema/index.ts'
import { weightAt } from '../../linear-query.ts'
import { parseSql } from '../parse.ts'
import { evaluate } from '../result/evaluate.ts'

/** 2,002 × 10 × 22 combinations of values, NULLs included; too many for the sums of three, and for a table of prices. */
const ordersTo = (high: number) =>
  universe([
    attribute({
      kind: 'decimal',
      name: 'price',
      low: rational(-4),
      high: rational(high),
      step: rational(1, 100),
      closed: false,
    }),
    attribute({ kind: 'integer', name: 'quantity', low: 1, high: 9, closed: false }),
    attribute({ kind: 'integer', name: 'discount', low: 0, high: 20, closed: false }),
  ])
const orders = ordersTo(16)
const read = (sql: string, universe = orders) => parseSql(sql, { dataset: 'orders', universe })
const cellsOf = ({ attributes }: typeof orders) => fc.tuple(...attributes.map(({ size }) => fc.nat(size - 1)))
const cells = cellsOf(orders)
const valuesOf = (cell: readonly number[], { attributes } = orders) =>
  attributes.map((each, i) => {
    const text = label(each, cell[i]!)
    return text === null ? null : Number(text)
  })

type Values = readonly (number | null)[]
const product = (...factors: Values) => (factors.includes(null) ? 0 : factors.reduce<number>((n, f) => n * f!, 1))

describe('a sum of a product', () => {
  test.each([
    ['SUM(price * quantity)', ([p, q]: Values) => product(p!, q!)],
    ['SUM(price * quantity) FILTER (WHERE price > 0)', ([p, q]: Values) => (p! > 0 ? product(p!, q!) : 0)],
    [
      'SUM(price * quantity * (1 - COALESCE(discount, 0) / 100.0))',
      ([p, q, d]: Values) => product(p!, q!, 1 - (d ?? 0) / 100),
    ],
    ['SUM(price * (quantity + discount))', ([p, q, d]: Values) => product(p!, q === null || d === null ? null : q + d)],
  ] as const)('%s weighs every record as it says', async (sum, of) => {
    const { parts } = await read(`SELECT ${sum} FROM orders`)
    expect(parts).toHaveLength(1)
    expect(parts[0]!.terms.length).toBeLessThanOrEqual(2)
    const scale = toNumber(parts[0]!.step)
    fc.assert(
      fc.property(cells, (cell) => {
        // Within what doubles lose in a product of three.
        expect(scale * weightAt(parts[0]!, orders, cell)).toBeCloseTo(of(valuesOf(cell)), 8)
      }),
      { numRuns: 300 },
    )
  })

  test('constants are taken out of it', async () => {
    const { parts, columns } = await read('SELECT SUM(2 * price * (quantity * 1.5)) FROM orders')
    const [column] = columns
    expect(parts).toEqual((await read('SELECT SUM(price * quantity) FROM orders')).parts)
    expect(column?.kind === 'value' && evaluate(column.expression, [7])).toBe(21)
  })

  test('an attribute in two factors is no such product', async () => {
    const { parts } = await read('SELECT SUM(quantity * (quantity + 1)) FROM orders')
    expect(weightAt(parts[0]!, orders, [0, 2, 0]) * toNumber(parts[0]!.step)).toBe(12)
  })
})

/** 90,002 prices: a diagram that begins with them would be too large. */
const dear = ordersTo(896)
test.each([
  ['price > quantity', ([p, q]: Values) => p !== null && q !== null && p! > q!],
  ['price * quantity > 20', ([p, q]: Values) => p !== null && q !== null && Math.round(p! * 100) * q! > 2000],
] as const)('%s takes a term for every value of the smaller attribute', async (where, of) => {
  const { parts } = await read(`SELECT COUNT(*) FROM orders WHERE ${where}`, dear)
  expect(parts[0]!.terms).toHaveLength(9)
  fc.assert(
    fc.property(cellsOf(dear), (cell) => {
      expect(weightAt(parts[0]!, dear, cell)).toBe(Number(of(valuesOf(cell, dear))))
    }),
    { numRuns: 300 },
  )
})

test('an average of a product of many values has no table of them', async () => {
  const { parts } = await read('SELECT AVG(price * quantity) FROM orders')
  const [total] = parts
  fc.assert(
    fc.property(cells, (cell) => {
      const [p, q] = valuesOf(cell)
      // Centred at the middle of -36 and 144.
      const expected = p === null || q === null ? 0 : p! * q! - 54
      expect(toNumber(total!.step) * weightAt(total!, orders, cell)).toBeCloseTo(expected, 8)
    }),
    { numRuns: 300 },
  )
  expect(total!.terms.flatMap(({ factors }) => Object.values(factors)).map(({ kind }) => kind)).toContain('value')
  expect(total!.terms.some(({ factors }) => factors.price?.kind === 'table')).toBe(false)
})

describe('a sum of attributes whose values have too many combinations', () => {
  const nullable = (
    p: number | null,
    q: number | null,
    d: number | null,
    of: (p: number, q: number, d: number) => number,
  ) => (p === null || q === null || d === null ? 0 : of(p, q, d))

  test.each([
    ['price - quantity + discount * 2', (p: number, q: number, d: number) => p - q + 2 * d],
    ['-(price - quantity) + 3 - discount', (p: number, q: number, d: number) => -p + q + 3 - d],
    ['price * quantity - discount / 2.0', (p: number, q: number, d: number) => p * q - d / 2],
  ] as const)('SUM(%s) and its AVG', async (expression, of) => {
    const sums = await read(`SELECT SUM(${expression}) FROM orders`, dear)
    const averages = await read(`SELECT AVG(${expression}) FROM orders`, dear)
    const at = (column: (typeof sums.columns)[number] | undefined, parts: number[]) =>
      column?.kind === 'value' ? evaluate(column.expression, parts) : Number.NaN
    fc.assert(
      fc.property(cellsOf(dear), (cell) => {
        const weights = ({ parts }: typeof sums) => parts.map((q) => toNumber(q.step) * weightAt(q, dear, cell))
        const [p, q, d] = valuesOf(cell, dear)
        const isKnown = p !== null && q !== null && d !== null
        const expected = nullable(p!, q!, d!, of)
        // Of a table of this one record. Products of doubles are off in the last digits.
        expect(at(sums.columns[0], weights(sums))).toBeCloseTo(expected, 6)
        const average = at(averages.columns[0], weights(averages))
        if (isKnown) expect(average).toBeCloseTo(expected, 6)
        else expect(average).toBeNaN()
      }),
      { numRuns: 300 },
    )
  })
})
