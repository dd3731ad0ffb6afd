import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CellByCellModel, enumerated } from '../../../test/support/cell-by-cell-model.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { answerSize, type LinearQuery, marginal } from '../../query/index.ts'
import { parseWorkload } from '../../release/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { answerSheet } from '../answer-sheet.ts'
import { readModel } from '../read-model.ts'
import { DenseModel } from './dense-model.ts'

const integer = (name: string, size: number) =>
  attribute({ kind: 'integer', name, low: 0, high: size - 1, closed: true })
const three = universe([integer('a', 4), integer('b', 3), integer('c', 5)])
const randomCells = (u: Universe, seed: number) => {
  const { uniform } = seededBits(seed)
  return Float64Array.from({ length: Number(u.size) }, () => uniform() ** 3)
}
/** Counts of a skewed table. */
const counts = (u: Universe, seed: number) => randomCells(u, seed).map((share) => Math.round(200 * share))
const total = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)
const close = (found: ArrayLike<number>, expected: ArrayLike<number>, digits: number) => {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < found.length; i++) expect(found[i]!).toBeCloseTo(expected[i]!, digits)
}

const over = smallUniverse().chain((u) =>
  fc.record({
    u: fc.constant(u),
    queries: fc.array(queryOver(u, 'grouped'), { minLength: 1, maxLength: 4 }),
    seed: fc.nat(1000),
  }),
)

test('answers are those of enumerating all cells, one by one and many at once', () => {
  fc.assert(
    fc.property(over, ({ u, queries, seed }) => {
      const cells = randomCells(u, seed)
      const records = 100
      const model = new DenseModel(u, records, {}, cells)
      const shares = cells.map((cell) => (cell * records) / total(cells))
      const ranges = parseWorkload('ranges:5', u, seededBits(seed).uniform)
      const sheet = answerSheet([...queries, ...ranges, marginal(u.attributes.map(({ name }) => name).reverse())], u)
      model.fill(sheet, [...[...sheet.queries].keys()])
      for (const [i, query] of [...sheet.queries].entries()) {
        const slow = enumerated(query, u, shares)
        // Sums of up to 625 products of small integers and shares: 10 digits are left.
        close(model.answers(query), slow, 6)
        close(sheet.values.subarray(sheet.starts[i]!, sheet.starts[i + 1]!), slow, 6)
      }
    }),
    { numRuns: 60 },
  )
})

test('one change per answer is that of the cell-by-cell form, the average too', () => {
  fc.assert(
    fc.property(over, ({ u, queries, seed }) => {
      const { uniform } = seededBits(seed)
      const records = 50
      const fast = new DenseModel(u, records, { fitting: 'once' })
      const average = new DenseModel(u, records, { fitting: 'once', output: 'average' })
      const slow = new CellByCellModel(u, records)
      const sum = new Float64Array(Number(u.size))
      const answers = queries.map((query) => ({
        query,
        values: Float64Array.from({ length: answerSize(query, u) }, () => Math.round(40 * (uniform() - 0.5))),
        variance: 1,
      }))
      const everything = [...u.attributes.keys()]
      for (const [i] of answers.entries()) {
        for (const [cell, weight] of slow.weights.entries()) sum[cell]! += weight / answers.length
        for (const model of [fast, average, slow]) model.fit(answers.slice(0, i + 1))
        close(fast.marginal(everything), slow.weights, 6)
      }
      close(average.result().marginal(everything), sum, 6)
    }),
    { numRuns: 40 },
  )
})

describe('replay', () => {
  const data = counts(three, 3)
  const records = total(data)
  const exact = (query: LinearQuery) => ({ query, values: enumerated(query, three, data), variance: 0 })

  test('comes to agree with exact marginals, as iterative proportional fitting does', () => {
    const model = new DenseModel(three, records, { fitting: 'replay' })
    const answers = [...parseWorkload('2-way', three, Math.random)].map(exact)
    model.fit(answers)
    // It stops within a thousandth of a record.
    for (const { query, values } of answers) close(model.answers(query), values, 2)
  })

  test('comes to agree with ranges and sums', () => {
    const model = new DenseModel(three, records, { fitting: 'replay' })
    const sum: LinearQuery = {
      ...marginal([]),
      terms: [{ coefficient: 1, factors: { c: { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: 4 } } }],
    }
    const answers = [...parseWorkload('ranges:4', three, seededBits(5).uniform), sum].map(exact)
    model.fit(answers)
    for (const { query, values } of answers) close(model.answers(query), values, 2)
  })

  test('stops at the noise: it moves less towards what noise explains', () => {
    const model = new DenseModel(three, 600, { fitting: 'replay' })
    const query = marginal(['a'])
    model.fit([{ query, values: [157, 143, 147, 153], variance: 100 }])
    const [most, least] = model.answers(query)
    expect(most).toBeLessThan(155)
    expect(least).toBeGreaterThan(145)
    const other = new DenseModel(three, 600, { fitting: 'replay' })
    other.fit([{ query, values: [300, 100, 100, 100], variance: 100 }])
    const [first, ...rest] = other.answers(query)
    expect(first).toBeGreaterThan(280)
    for (const answer of rest) expect(answer).toBeLessThan(107)
  })

  test('two answers to the same query count by their precision', () => {
    const model = new DenseModel(three, 600, { fitting: 'replay' })
    const query = marginal(['a'])
    model.fit([
      { query, values: [300, 100, 100, 100], variance: 1 },
      { query, values: [100, 300, 100, 100], variance: 1e6 },
    ])
    close(model.answers(query), [300, 100, 100, 100], -1)
  })

  test('noise far above n leaves a distribution', () => {
    const model = new DenseModel(three, 10, { fitting: 'replay' })
    const values = Float64Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? 5000 : -4000))
    model.fit([{ query: marginal(['a', 'b']), values, variance: 1 }])
    const table = model.marginal([0, 1, 2])
    expect(total(table)).toBeCloseTo(10, 9)
    for (const cell of table) expect(cell).toBeGreaterThan(0)
  })
})

describe('smooth fit', () => {
  /** The covariance of two cells' logarithms, by its definition. */
  const covariance = (u: Universe, n: number, x: readonly number[], y: readonly number[]) => {
    const product = u.attributes.reduce((p, { size }, a) => {
      const g = size > 1 ? (0.15 * Math.log2(size)) / (size - 1) : 0
      return p * (1 / size + g * (Number(x[a] === y[a]) - 1 / size))
    }, 1)
    return Number(u.size) * ((0.5 / 0.15) * product + Number(x.join() === y.join()) / n)
  }

  test('is where the gradient vanishes: f = K·Bᵀ·residuals, cell by cell', () => {
    const u = universe([integer('a', 2), integer('b', 3), integer('c', 2)])
    const data = counts(u, 8)
    const n = total(data)
    const { uniform } = seededBits(9)
    const answers = [marginal(['a', 'b', 'c']), marginal(['b']), ...parseWorkload('ranges:2', u, uniform)].map(
      (query) => ({
        query,
        values: enumerated(query, u, data).map((value) => value + Math.round(20 * (uniform() - 0.5))),
        variance: 60,
      }),
    )
    const model = new DenseModel(u, n)
    // Every fit goes on from the last: ten of them are as near as rounding lets them.
    for (let i = 0; i < 10; i++) model.fit(answers)
    const p = model.marginal([0, 1, 2]).map((share) => share / n)
    const cells = [...cellsOf(u)]
    const indicator = (x: number) => Float64Array.from(cells, (_, i) => Number(i === x))
    const pull = cells.map((_, x) =>
      answers.reduce((sum, { query, values, variance }) => {
        const now = enumerated(
          query,
          u,
          p.map((share) => n * share),
        )
        const own = enumerated(query, u, indicator(x))
        return sum + own.reduce((s, w, i) => s + (n * w * (values[i]! - now[i]!)) / variance, 0)
      }, 0),
    )
    const mean = pull.reduce((sum, value, x) => sum + p[x]! * value, 0)
    const logs = cells.map((x) =>
      cells.reduce((sum, y, i) => sum + covariance(u, n, x, y) * p[i]! * (pull[i]! - mean), 0),
    )
    const weights = logs.map((value) => Math.exp(value))
    // It stops where the objective falls by less than 10^-4 of itself: shares are right to about the root of that.
    for (const [x, weight] of weights.entries())
      expect(Math.abs(weight / total(weights) / p[x]! - 1)).toBeLessThan(0.02)
  })

  test('is nearer to the table than the noisy counts are', () => {
    const u = universe('abcdef'.split('').map((name) => integer(name, 2)))
    const { uniform } = seededBits(2)
    // Independent attributes: the smooth prior is right about them.
    const shares = [...cellsOf(u)].map((cell) =>
      cell.reduce((p, code, a) => p * (code ? 0.2 + a / 20 : 0.8 - a / 20), 1),
    )
    const data = shares.map((share) => 1000 * share)
    const noise = () => 10 * (uniform() + uniform() + uniform() + uniform() - 2) // variance 100/3
    const values = data.map((value) => value + noise())
    const model = new DenseModel(u, 1000)
    model.fit([{ query: marginal('abcdef'.split('')), values, variance: 100 / 3 }])
    const error = (table: ArrayLike<number>) => total(data.map((value, i) => (table[i]! - value) ** 2))
    expect(error(model.marginal([0, 1, 2, 3, 4, 5]))).toBeLessThan(error(values) / 1.5)
    // Parities say the same as counts where all are measured.
    const all = [...parseWorkload('parities:6', u, Math.random)].map((query) => ({
      query,
      values: enumerated(query, u, values),
      variance: (64 * 100) / 3,
    }))
    const same = new DenseModel(u, 1000, { fitting: 'smooth' })
    same.fit(all)
    for (const [i, value] of same.marginal([0, 1, 2, 3, 4, 5]).entries())
      expect(Math.abs(value - model.marginal([0, 1, 2, 3, 4, 5])[i]!)).toBeLessThan(1)
  })
})

test('a parity of two attributes does not make either uneven', () => {
  const u = universe([integer('a', 2), integer('b', 2), integer('c', 2)])
  const parity = [...parseWorkload('parities:2', u, Math.random)].find(
    ({ terms: [term] }) => 'a' in term!.factors && 'b' in term!.factors,
  )!
  const model = new DenseModel(u, 1000)
  model.fit([{ query: parity, values: Float64Array.of(-800), variance: 200 }])
  const [same, differ] = [model.marginal([0, 1])[0]!, model.marginal([0, 1])[1]!]
  expect(differ / same).toBeGreaterThan(4)
  for (const a of [0, 1]) expect(Math.abs(model.marginal([a])[0]! - 500)).toBeLessThan(1)
})

test('rows: rounded ones are within one of their shares, drawn ones follow the same law', () => {
  const cells = randomCells(three, 4)
  const share = cells.map((cell) => cell / total(cells))
  const tally = (rows: readonly Int32Array[]) => {
    const found = new Float64Array(60)
    for (let i = 0; i < rows[0]!.length; i++) found[(rows[0]![i]! * 3 + rows[1]![i]!) * 5 + rows[2]![i]!]!++
    return found
  }
  const rounded = tally(new DenseModel(three, 100, {}, cells).rows(997, seededBits(1).uniform))
  for (const [i, count] of rounded.entries()) expect(Math.abs(count - 997 * share[i]!)).toBeLessThan(1)
  const drawn = tally(new DenseModel(three, 100, {}, cells).rows(20_000, seededBits(1).uniform, 'independent'))
  const chi2 = drawn.reduce((sum, count, i) => sum + (count - 20_000 * share[i]!) ** 2 / (20_000 * share[i]!), 0)
  // 59 degrees of freedom: above 125 once in 10^6 seeds; the seed is fixed.
  expect(chi2).toBeLessThan(125)
  expect(chi2).toBeGreaterThan(20)
})

test('too many cells are refused', () => {
  const large = universe(Array.from({ length: 8 }, (_, i) => integer(`x${i}`, 10)))
  expect(() => new DenseModel(large, 10)).toThrow('at most 50000000')
})

test('what is written is read back, and what was damaged is refused', () => {
  const model = new DenseModel(three, 100, {}, randomCells(three, 6))
  const json = JSON.parse(JSON.stringify(model.toJson()))
  close(readModel(json, three).marginal([0, 1, 2]), model.marginal([0, 1, 2]), 9)
  for (const cells of [json.cells.slice(1), json.cells.map(() => 0), json.cells.map(() => -1), 'x', undefined])
    expect(() => readModel({ ...json, cells }, three)).toThrow('its cells are damaged')
})
