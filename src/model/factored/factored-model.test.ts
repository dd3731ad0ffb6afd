import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CellByCellModel, enumerated } from '../../../test/support/cell-by-cell-model.ts'
import { queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { answerSize, type LinearQuery, marginal } from '../../query/index.ts'
import { parseWorkload } from '../../release/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { answerSheet } from '../answer-sheet.ts'
import { DenseModel } from '../dense/dense-model.ts'
import type { NoisyAnswer } from '../fitted-model.ts'
import { readModel } from '../read-model.ts'
import type { TableModel } from '../table-model.ts'
import { FactoredModel, type FactoredOptions } from './factored-model.ts'

/** One table per part, junction trees alone, and what is usual. */
const forms: readonly FactoredOptions[] = [{ tableCells: 2 ** 22 }, { tableCells: 0 }, {}]

const integer = (name: string, size: number) =>
  attribute({ kind: 'integer', name, low: 0, high: size - 1, closed: true })
const bits = (count: number) => universe(Array.from({ length: count }, (_, i) => integer(`x${i}`, 2)))
const pair = (a: number, b: number) => marginal([`x${a}`, `x${b}`])
const five = universe([integer('a', 2), integer('b', 3), integer('c', 2), integer('d', 1), integer('e', 3)])
const everything = (u: Universe) => [...u.attributes.keys()]
const total = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)
const close = (found: ArrayLike<number>, expected: ArrayLike<number>, digits: number) => {
  expect(found.length).toBe(expected.length)
  for (let i = 0; i < found.length; i++) expect(found[i]!).toBeCloseTo(expected[i]!, digits)
}
const counts = (u: Universe, seed: number) => {
  const { uniform } = seededBits(seed)
  return Float64Array.from({ length: Number(u.size) }, () => Math.round(300 * uniform() ** 3))
}
const turned = (query: LinearQuery): LinearQuery => ({ ...query, by: query.by.toReversed() })
/** Answers of a table, with noise of this size or exact. */
function answersOf(data: Float64Array, u: Universe, queries: readonly LinearQuery[], noise: number, seed = 1) {
  const { uniform } = seededBits(seed)
  return queries.map((query): NoisyAnswer => {
    const values = enumerated(query, u, data).map((value) => value + noise * 3.46 * (uniform() - 0.5))
    return { query, values, variance: noise ** 2 }
  })
}

const problem = smallUniverse(4).chain((u) =>
  fc.record({
    u: fc.constant(u),
    queries: fc.array(queryOver(u, 'grouped'), { minLength: 1, maxLength: 5 }),
    asked: fc.array(queryOver(u, 'grouped'), { minLength: 1, maxLength: 3 }),
    seed: fc.nat(1000),
  }),
)

describe('every form is the same model as the cell-by-cell one', () => {
  test('one step per answer, and answers to any query', () => {
    fc.assert(
      fc.property(problem, ({ u, queries, asked, seed }) => {
        const { uniform } = seededBits(seed)
        const slow = new CellByCellModel(u, 50)
        const dense = new DenseModel(u, 50, { fitting: 'once' })
        const models = forms.map((form) => new FactoredModel(u, 50, { ...form, fitting: 'once' }))
        const answers = queries.map((query) => ({
          query,
          values: Float64Array.from({ length: answerSize(query, u) }, () => Math.round(40 * (uniform() - 0.5))),
          variance: 1,
        }))
        const half = answers.length >> 1
        for (const model of [slow, dense, ...models]) {
          model.fit(answers.slice(0, half))
          model.fit(answers)
        }
        for (const model of models) {
          // Sums of up to 625 products of shares and weights below 10^4: 8 digits are left.
          close(model.marginal(everything(u)), slow.weights, 8)
          close(model.marginal(everything(u)), dense.marginal(everything(u)), 8)
          const pairs = u.attributes.length > 1 ? [...parseWorkload('2-way', u, Math.random)] : []
          const sheet = answerSheet([...asked, ...pairs, ...pairs.map(turned)], u)
          model.fill(sheet, [...[...sheet.queries].keys()])
          for (const [i, query] of [...sheet.queries].entries()) {
            close(model.answers(query), slow.answers(query), 6)
            close(sheet.values.subarray(sheet.starts[i]!, sheet.starts[i + 1]!), slow.answers(query), 6)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('replay', () => {
    const u = bits(8)
    const sets = [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [6], [1, 4]]
    const queries = sets.map((set) => marginal(set.map((a) => `x${a}`)))
    const answers = answersOf(counts(u, 4), u, queries, 40)
    const [tables, trees, usual] = forms.map((form) => {
      const model = new FactoredModel(u, total(counts(u, 4)), form)
      for (const i of answers.keys()) model.fit(answers.slice(0, i + 1))
      return model.marginal(everything(u))
    })
    // The same steps in the same order; some ten thousand of them each lose a digit in 10^16.
    close(trees!, tables!, 7)
    close(usual!, tables!, 7)
  })

  test('replay, as the dense form does it', () => {
    const data = counts(five, 8)
    // Each shares an attribute with those before: one part, which keeps their order.
    const queries = [['a', 'b'], ['b', 'c'], ['e', 'c'], ['a'], ['d', 'e', 'a']].map(marginal)
    const answers = answersOf(data, five, queries, 15)
    const dense = new DenseModel(five, total(data), { fitting: 'replay' })
    const models = forms.map((form) => new FactoredModel(five, total(data), form))
    for (const model of [dense, ...models]) for (const i of answers.keys()) model.fit(answers.slice(0, i + 1))
    for (const model of models) close(model.marginal(everything(five)), dense.marginal(everything(five)), 7)
  })

  test('replay of exact answers comes where the dense form comes: to the likeliest table with these marginals', () => {
    const data = counts(five, 6)
    const sets = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['d', 'e'],
    ]
    const answers = answersOf(data, five, sets.map(marginal), 0)
    const dense = new DenseModel(five, total(data), { fitting: 'replay' })
    dense.fit(answers)
    for (const form of forms) {
      const model = new FactoredModel(five, total(data), form)
      model.fit(answers)
      // Both stop within a thousandth of a record per answer.
      close(model.marginal(everything(five)), dense.marginal(everything(five)), 1)
      for (const { query, values } of answers) close(model.answers(query), values as Float64Array, 2)
    }
  })
})

describe('parts', () => {
  test('are joined where an answer needs it, and only they change', () => {
    const model = new FactoredModel(bits(6), 100)
    const answers: NoisyAnswer[] = [{ query: pair(0, 1), values: [70, 10, 10, 10], variance: 1 }]
    expect(model.fit(answers)).toEqual({ together: [0, 1], alone: [0, 1] })
    close(model.answers(pair(2, 3)), [25, 25, 25, 25], 9)
    answers.push({ query: pair(2, 3), values: [10, 20, 30, 40], variance: 1 })
    expect(model.fit(answers)).toEqual({ together: [2, 3], alone: [2, 3] })
    close(model.answers(pair(0, 2)), [24, 56, 6, 14], 0)
    answers.push({ query: pair(1, 2), values: [30, 50, 0, 20], variance: 1 })
    expect(model.fit(answers).together).toEqual([0, 1, 2, 3])
    expect(model.answers(pair(1, 2))[2]).toBeLessThan(2)
    close(model.answers(pair(4, 5)), [25, 25, 25, 25], 9)
  })

  test('attributes whose own counts stay where they are have not changed by themselves', () => {
    const model = new FactoredModel(bits(4), 100)
    const answers: NoisyAnswer[] = [{ query: pair(0, 1), values: [49, 1, 1, 49], variance: 0.01 }]
    expect(model.fit(answers)).toEqual({ together: [0, 1], alone: [0, 1] })
    // They differ now where they agreed, and both are as even as before.
    answers.push({ query: pair(0, 1), values: [1, 49, 49, 1], variance: 0.001 })
    expect(model.fit(answers)).toEqual({ together: [0, 1], alone: [] })
    answers.push({ query: pair(0, 1), values: [1, 69, 29, 1], variance: 1e-5 })
    expect(model.fit(answers)).toEqual({ together: [0, 1], alone: [0, 1] })
  })

  test('grow up to the limit and not beyond it', () => {
    const tables = { tableCells: 2 ** 22, cells: 16 }
    const fourBits = [pair(0, 1), pair(2, 3), pair(1, 2)].map((query) => ({
      query,
      values: [40, 30, 20, 10],
      variance: 1,
    }))
    const model = new FactoredModel(bits(6), 100, tables)
    model.fit(fourBits)
    expect(model.canHold([0, 3])).toBe(true)
    expect(model.canHold([4, 5])).toBe(true)
    expect(model.canHold([])).toBe(true)
    // A tree of pairs takes no more cells than the pairs do: one more would be 20.
    expect(model.canHold([3, 4])).toBe(true)
    model.fit([...fourBits, { query: pair(3, 4), values: [40, 30, 20, 10], variance: 1 }])
    expect(model.canHold([4, 5])).toBe(false)
    expect(model.canHold([0, 1, 2, 3, 4])).toBe(false)
    const before = model.marginal(everything(model.universe))
    const tooLarge = { query: pair(4, 5), values: [40, 30, 20, 10], variance: 1 }
    expect(model.fit([...fourBits, fourBits[0]!, tooLarge])).toEqual({ together: [], alone: [] })
    expect(model.marginal(everything(model.universe))).toEqual(before)
  })

  test('what can be held is held: chains and stars of pairs, within a limit that whole parts would break', () => {
    const pick = fc.tuple(fc.nat(9), fc.nat(9)).filter(([a, b]) => a !== b)
    fc.assert(
      fc.property(fc.array(pick, { maxLength: 20 }), fc.constantFrom(32, 64, 200), (picks, cells) => {
        const model = new FactoredModel(bits(10), 100, { cells, tableCells: 4 })
        const answers: NoisyAnswer[] = []
        for (const set of picks) {
          if (!model.canHold(set.toSorted())) continue
          answers.push({ query: pair(...set), values: [40, 20, 30, 10], variance: 4 })
          model.fit(answers)
          expect(total(model.answers(pair(...set)))).toBeCloseTo(100, 8)
        }
        expect(answers.length).toBeGreaterThanOrEqual(Math.min(picks.length, 1))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a thousand bits', () => {
  const u = bits(1000)
  const model = new FactoredModel(u, 1000)
  const chain = Array.from({ length: 300 }, (_, i) => ({
    query: pair(i, i + 1),
    values: [400, 100, 100, 400],
    variance: 1,
  }))
  model.fit(chain)

  test('pairs along a chain of dependent bits', () => {
    close(model.answers(pair(17, 18)), [400, 100, 100, 400], 0)
    // Agreement of neighbours is .8: of those k apart, (1 + .6^k)/2.
    close(
      model.answers(pair(20, 25)),
      [250 + 250 * 0.6 ** 5, 250 - 250 * 0.6 ** 5].flatMap((v, i) => (i ? [v, v] : v)).concat(250 + 250 * 0.6 ** 5),
      0,
    )
    close(model.answers(pair(0, 999)), [250, 250, 250, 250], 6)
  })

  test('one product over all of them', () => {
    const factors = Object.fromEntries(u.attributes.map(({ name }) => [name, { kind: 'set' as const, codes: [0] }]))
    const allZero: LinearQuery = { ...marginal([]), terms: [{ coefficient: 1, factors }] }
    // 1000 · 1/2 · .8^300 · 2^-699, each of 300 shares being off by up to a thousandth.
    const expected = Math.log(1000 / 2) + 300 * Math.log(0.8) - 699 * Math.LN2
    expect(Math.log(model.answers(allZero)[0]!)).toBeCloseTo(expected, 0)
  })

  test('rows', () => {
    const columns = model.rows(2000, seededBits(1).uniform)
    const agreeing = (a: number, b: number) => columns[a]!.filter((code, r) => code === columns[b]![r]).length
    // Systematic samples within each value of a separator: a neighbour's share is rounded, not drawn.
    expect(Math.abs(agreeing(100, 101) - 1600)).toBeLessThan(6)
    // Binomial at most: sd 22, one false alarm in 10^6 at 4.89 of them.
    expect(Math.abs(agreeing(500, 900) - 1000)).toBeLessThan(4.89 * 22.4)
    expect(Math.abs(agreeing(10, 12) - 1000 * (1 + 0.36))).toBeLessThan(4.89 * 22.4)
  })
})

test('rows have the marginals of the model, each cell of a small table up to one record', () => {
  const data = counts(five, 9)
  const answers = answersOf(data, five, [...parseWorkload('2-way', five, Math.random)], 5)
  for (const form of forms) {
    const model = new FactoredModel(five, total(data), form)
    model.fit(answers)
    const count = 5000
    const columns = model.rows(count, seededBits(3).uniform)
    expect(columns.map((column) => column.length)).toEqual(five.attributes.map(() => count))
    for (const [a, b] of [
      [0, 1],
      [1, 4],
      [2, 4],
      [0, 3],
    ] as const) {
      const size = five.attributes[b]!.size
      const found = new Float64Array(five.attributes[a]!.size * size)
      for (let r = 0; r < count; r++) found[columns[a]![r]! * size + columns[b]![r]!]!++
      const expected = model.marginal([a, b]).map((value) => (value * count) / model.records)
      // Cells of the joint table are rounded by less than 1, and at most 18 of them make up a cell of a pair.
      for (const [i, value] of found.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(18)
    }
  }
})

describe('bad measurements', () => {
  const isDistribution = (model: TableModel) => {
    const cells = model.marginal(everything(model.universe))
    for (const cell of cells) expect(cell).toBeGreaterThanOrEqual(0)
    expect(total(cells)).toBeCloseTo(model.records, 6)
  }
  const hostile: readonly (readonly number[])[] = [
    [0, 0, 0, 0],
    [-50, -50, -50, -50],
    [1e9, -1e9, 1e9, -1e9],
    [0, 100, 0, 0],
    [25, 25, 25, 25],
  ]
  test.each(['once', 'replay'] as const)('leave a distribution (%s)', (fitting) => {
    for (const form of forms) {
      const model = new FactoredModel(bits(5), 100, { ...form, fitting })
      const answers: NoisyAnswer[] = []
      for (let round = 0; round < 25; round++) {
        const values = hostile[(round * 7) % 5]!
        answers.push({
          query: pair(round % 5, (round + 1 + (round % 3)) % 5),
          values,
          variance: round % 2 ? 1e-3 : 400,
        })
        model.fit(answers)
        isDistribution(model)
      }
    }
  })

  test('a query that is 0 everywhere, a count of all, and no answers at all change nothing', () => {
    const model = new FactoredModel(five, 36)
    expect(model.fit([])).toEqual({ together: [], alone: [] })
    const zero: LinearQuery = { ...marginal(['a', 'b']), terms: [] }
    model.fit([
      { query: marginal([]), values: [50], variance: 1 },
      { query: zero, values: new Float64Array(6).fill(9), variance: 1 },
    ])
    close(model.marginal(everything(five)), new Float64Array(36).fill(1), 9)
    close(model.marginal([]), [36], 9)
  })
})

describe('as JSON', () => {
  const data = counts(five, 2)
  const model = new FactoredModel(five, total(data))
  model.fit(answersOf(data, five, [marginal(['a', 'b']), marginal(['c', 'b']), marginal(['e'])], 5))
  const written = JSON.parse(JSON.stringify(model.toJson()))

  test('comes back as the same model', () => {
    const read = readModel(written, five)
    close(read.marginal(everything(five)), model.marginal(everything(five)), 9)
    expect(read.records).toBe(model.records)
  })

  test.each([
    { ...written, factors: undefined },
    { ...written, factors: [null] },
    { ...written, factors: [{ attributes: [0, 9], logs: [0, 0] }] },
    { ...written, factors: [{ attributes: [0, 0], logs: [0, 0, 0, 0] }] },
    { ...written, factors: [{ attributes: [0], logs: [0, 0, 0] }] },
    { ...written, factors: [{ attributes: [0], logs: [0, null] }] },
  ])('is refused where it is damaged (%#)', (damaged) => {
    expect(() => readModel(damaged, five)).toThrow('cannot be read')
  })
})

test('answers that were held are fitted as those that come with the fit, and what has no room is neither', () => {
  const data = counts(five, 4)
  const answers = answersOf(data, five, [...parseWorkload('2-way', five, Math.random)], 5)
  for (const form of [...forms, { cells: 16, tableCells: 1 }]) {
    const [held, plain] = [new FactoredModel(five, total(data), form), new FactoredModel(five, total(data), form)]
    const room = answers.filter((answer) => held.hold(answer))
    // A second time for none: what is held is not held twice.
    held.fit(room)
    plain.fit(answers)
    if (form.cells === 16) expect(room.length).toBeLessThan(answers.length)
    for (let a = 0; a + 1 < five.attributes.length; a++) close(held.marginal([a, a + 1]), plain.marginal([a, a + 1]), 9)
    expect(held.toJson()).toEqual(plain.toJson())
  }
})
