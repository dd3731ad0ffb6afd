import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  code,
  count,
  found,
  historyOf,
  integers,
  law,
  less,
  measured,
  numbersOf,
  same,
} from '../../../test/support/estimates.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import {
  answerSize,
  countAll,
  type Factor,
  groupOf,
  type LinearQuery,
  type Measurement,
  marginal,
  type NoiseLaw,
  weightAt,
} from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'
import { varianceOfError } from '../error-law/law.ts'
import { cellQuery } from './cell-query.ts'
import { denseEstimate } from './scalars/dense.ts'

const finer: NoiseLaw = { kind: 'laplace', scale: rational(2) }
describe('2^1000 cells', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `b${i}`)
  const big = universe(names.map((name) => attribute({ kind: 'boolean', name, closed: true })))
  const small = universe(big.attributes.slice(0, 3))
  const list = [
    measured('1.0', marginal(['b0', 'b1']), [10, 20, 30, 40]),
    measured('2.0', count({ b0: code(1), b2: code(0) }), [33], finer),
    measured('3.0', marginal(['b2']), [60, 45]),
    measured('4.0', count({ b2: code(0) }), [57], finer),
  ]
  const questions = [
    countAll,
    count({ b0: code(1) }),
    count({ b0: code(1), b2: code(1) }),
    count({ b1: code(1), b2: code(1) }),
  ]

  test('attributes that nobody asked about do not matter', () => {
    for (const publicCount of [undefined, 104]) {
      const [x, y] = [historyOf(big, list, { publicCount }), historyOf(small, list, { publicCount })]
      for (const question of questions) same(x.estimate(question), y.estimate(question))
    }
    expect(historyOf(big, list).estimate(questions[3]!).estimable).toBe(false)
  })

  test('a single cell, and all but it', () => {
    const cell = count(Object.fromEntries(names.map((name) => [name, code(1)])))
    const history = historyOf(big, [...list, measured('5.0', cell, [3])])
    expect(found(history.estimate(cell)).estimate).toBe(3)
    expect(found(history.estimate(less(countAll, cell))).estimate).toBeCloseTo(
      found(history.estimate(countAll)).estimate - 3,
      9,
    )
    expect(historyOf(big, list).estimate(less(countAll, cell)).estimable).toBe(false)
  })
})

test('a marginal over many attributes tells every query over them', () => {
  const u = universe(Array.from({ length: 12 }, (_, i) => integers(`a${i}`, 2)))
  const names = u.attributes.map(({ name }) => name)
  const wide = (ways: number) => count(Object.fromEntries(names.slice(0, ways).map((name) => [name, code(1)])))
  const full = historyOf(u, [
    measured(
      '1.0',
      marginal(names),
      Array.from({ length: 4096 }, (_, i) => i % 7),
    ),
  ])
  const most = historyOf(u, [
    measured(
      '1.0',
      marginal(names.slice(0, 7)),
      Array.from({ length: 128 }, (_, i) => i % 7),
    ),
  ])
  for (let ways = 0; ways <= 12; ways++) {
    expect(full.estimate(wide(ways)).estimable).toBe(true)
    expect(most.estimate(wide(ways)).estimable).toBe(ways <= 7)
  }
  expect(found(full.estimate(wide(12))).estimate).toBeCloseTo(4095 % 7, 9)
})

describe('refined answers count once', () => {
  const u = universe([integers('a', 3), integers('b', 2)])
  const grouped: LinearQuery = { ...count({ b: code(0) }), by: [{ attribute: 'a' }] }
  const start = [
    measured('1.0', count({ a: code(1) }), [40]),
    measured('2.0', marginal(['a']), [10, 42, 50]),
    measured('3.0', grouped, [4, 20, 30]),
    measured('4.0', countAll, [99]),
  ]
  const refined = [
    measured('5.0', start[0]!.query, [41], finer),
    measured('6.0', start[1]!.query, [11, 41, 49], finer),
    measured('7.0', grouped, [5, 21, 29], finer),
  ]
  const questions = [count({ a: code(1) }), count({ a: code(2), b: code(0) }), countAll, count({ b: code(0) })]

  for (const [i, child] of refined.entries()) {
    for (const asked of ['before', 'never'] as const) {
      test(`${child.id} instead of ${start[i]!.id}, estimates asked for ${asked}`, () => {
        const history = historyOf(u, start)
        if (asked === 'before') history.estimate(countAll)
        history.append(child, { replaces: start[i]!.id })
        const fresh = historyOf(u, [...start.filter((m) => m !== start[i]), child])
        for (const question of questions) same(history.estimate(question), fresh.estimate(question))
        const ids = found(history.estimate(questions[1]!)).sources.map(({ id }) => id)
        expect(ids).not.toContain(start[i]!.id)
      })
    }
  }

  test('what is not there cannot be replaced', () => {
    expect(() => historyOf(u, start).append(measured('9.0', marginal(['b']), [1, 2]), { replaces: '8.0' })).toThrow(
      'no measurement 8.0',
    )
  })
})

describe('answers without noise', () => {
  const u = universe([integers('a', 4)])
  const none: NoiseLaw = { kind: 'none' }

  test('a count that is the same for every record is the number of records', () => {
    const thrice: LinearQuery = { ...countAll, terms: [{ coefficient: 3, factors: {} }] }
    const history = historyOf(u, [
      measured('1.0', thrice, [300], none),
      measured('2.0', marginal(['a']), [20, 30, 35, 25]),
    ])
    expect(numbersOf(history.estimate(countAll))).toEqual({ estimate: 100, variance: 0 })
    expect(found(history.estimate(countAll)).coefficients).toEqual([])
    // 110 were counted: ten too many, spread over four cells; a quarter of the variance is gone.
    const alone = found(
      historyOf(u, [measured('2.0', marginal(['a']), [20, 30, 35, 25])]).estimate(count({ a: code(0) })),
    )
    const { estimate, variance } = found(history.estimate(count({ a: code(0) })))
    expect(estimate).toBeCloseTo(17.5, 12)
    expect(variance).toBeCloseTo(0.75 * alone.variance, 9)
    same(
      history.estimate(count({ a: code(0) })),
      historyOf(u, [measured('2.0', marginal(['a']), [20, 30, 35, 25])], { publicCount: 100 }).estimate(
        count({ a: code(0) }),
      ),
    )
  })

  test('others are refused', () => {
    expect(() => historyOf(u, [measured('1.0', count({ a: code(0) }), [7], none)])).toThrow('the same for every record')
  })
})

describe('beyond the cap', () => {
  const u = universe([integers('a', 6)])
  const cells = [0, 1, 2, 3, 4, 5].map((c) => measured(`${c}.0`, count({ a: code(c) }), [10 * c]))

  test('as a whole: the first answers are combined, the others answer their own questions, and the estimate says so', () => {
    const history = historyOf(u, cells, { mostScalars: 4, isWhole: true })
    const first = found(history.estimate(count({ a: { kind: 'interval', from: 0, to: 3 } })))
    expect({ ...numbersOf(first), leftOut: first.leftOut }).toMatchObject({ estimate: 60, leftOut: 2 })
    expect(found(history.estimate(cells[5]!.query)).estimate).toBe(50)
    expect(history.estimate(countAll)).toEqual({ estimable: false, leftOut: 2 })
    // One answer that is left out says nothing about another's question, whatever was asked before.
    expect(numbersOf(history.estimate(cells[4]!.query))).toMatchObject({ estimate: 40, variance: first.variance / 4 })
    history.append(measured('9.0', cells[5]!.query, [52], finer), { replaces: '5.0' })
    expect(found(history.estimate(cells[5]!.query)).estimate).toBe(52)
  })

  test('else those that the question needs are combined', () => {
    const history = historyOf(u, cells, { mostScalars: 4 })
    expect(found(history.estimate(countAll))).toMatchObject({ estimate: 150, leftOut: 0 })
    const last = found(history.estimate(count({ a: { kind: 'interval', from: 4, to: 5 } })))
    expect(last.estimate).toBe(90)
    expect(last.sources.map(({ id }) => id).sort()).toEqual(['4.0', '5.0'])
  })
})

const scenario = smallUniverse(3, [1, 2, 3, 4]).chain((u) =>
  fc.record({
    u: fc.constant(u),
    queries: fc.array(
      fc.oneof(queryOver(u), queryOver(u, 'grouped'), fc.subarray(u.attributes.map((a) => a.name)).map(marginal)),
      { minLength: 1, maxLength: 8 },
    ),
  }),
)

describe('the same history in another way', () => {
  test('one answer at a time, with estimates in between, or all at once', () => {
    fc.assert(
      fc.property(scenario, ({ u, queries }) => {
        const list = queries.map((query, i) =>
          measured(
            `${i}.0`,
            query,
            Array.from({ length: answerSize(query, u) }, (_, c) => (17 * i + 5 * c) % 101),
            i % 2 ? law : finer,
          ),
        )
        const grown = historyOf(u, [])
        for (const measurement of list) {
          grown.append(measurement)
          grown.estimate(countAll)
        }
        const whole = historyOf(u, list)
        for (const { query } of [...list, { query: countAll }])
          for (let c = 0; c < answerSize(query, u); c++)
            same(grown.estimate(cellQuery(query, u, c)), whole.estimate(cellQuery(query, u, c)))
      }),
      { numRuns: 100 },
    )
  })

  test('all cells of a question at once, or one by one', () => {
    const u = universe([integers('a', 3), integers('b', 4), integers('c', 2)])
    const list = [
      measured(
        '1.0',
        marginal(['b', 'a']),
        Array.from({ length: 12 }, (_, i) => (7 * i) % 12),
      ),
      measured('2.0', marginal(['c', 'b']), [1, 2, 3, 4, 5, 6, 7, 8], finer),
    ]
    for (const query of [
      marginal(['b', 'a']),
      marginal(['a']),
      marginal([]),
      marginal(['c', 'b']),
      marginal(['a', 'c']),
    ]) {
      const history = historyOf(u, list)
      const all = history.estimates(query)
      expect(all).toHaveLength(answerSize(query, u))
      all.forEach((estimate, c) => {
        same(estimate, history.estimate(cellQuery(query, u, c)))
        if (estimate.estimable) expect(varianceOfError(estimate.coefficients)).toBeCloseTo(estimate.variance, 9)
      })
    }
  })

  test('estimated marginals agree with each other', () => {
    const u = universe([integers('a', 3), integers('b', 4), integers('c', 2)])
    const history = historyOf(u, [
      measured(
        '1.0',
        marginal(['a', 'b']),
        Array.from({ length: 12 }, (_, i) => (7 * i) % 12),
      ),
      measured('2.0', marginal(['b', 'c']), [1, 2, 3, 4, 5, 6, 7, 8], finer),
    ])
    const [ab, bc] = [marginal(['a', 'b']), marginal(['b', 'c'])].map((query) =>
      history.estimates(query).map((e) => found(e).estimate),
    )
    for (let b = 0; b < 4; b++)
      expect(ab![b]! + ab![4 + b]! + ab![8 + b]!).toBeCloseTo(bc![2 * b]! + bc![2 * b + 1]!, 9)
  })
})

test('one cell of a grouped query is a query of its own', () => {
  const problem = smallUniverse().chain((u) => fc.record({ u: fc.constant(u), query: queryOver(u, 'grouped') }))
  fc.assert(
    fc.property(problem, ({ u, query }) => {
      for (let c = 0; c < answerSize(query, u); c++) {
        const only = cellQuery(query, u, c)
        for (const cell of cellsOf(u)) {
          let group = 0
          for (const g of query.by) {
            const own = groupOf(g, cell[u.index.get(g.attribute)!]!)
            const size = g.groups?.length ?? u.attributes[u.index.get(g.attribute)!]!.size
            group = own < 0 || group < 0 ? -1 : group * size + own
          }
          expect(weightAt(only, u, cell)).toBe(group === c ? weightAt(query, u, cell) + 0 : 0)
        }
      }
    }),
    { numRuns: 50 },
  )
})

describe('longer histories against explicit cells', () => {
  const bits = seededBits(7)
  const below = (n: number) => Math.floor(bits.uniform() * n)
  const range = (size: number): Factor => {
    const [x, y] = [below(size), below(size)]
    return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }
  }
  const rowOf = (query: LinearQuery, u: Universe) => Float64Array.from(cellsOf(u), (cell) => weightAt(query, u, cell))

  function compare(
    u: Universe,
    scalars: readonly Measurement[],
    marginals: readonly Measurement[],
    question: LinearQuery,
  ) {
    const all = [
      ...marginals.flatMap((m) =>
        Array.from(m.values as Float64Array, (value, c) => measured(m.id, cellQuery(m.query, u, c), [value], m.law)),
      ),
      ...scalars,
    ]
    const variances = all.map(({ law: noise }) => (noise === law ? 199.83337499007 : 7.835397))
    const twin = denseEstimate({ rows: all.map(({ query }) => rowOf(query, u)), variances }, rowOf(question, u))!
    const { estimate, coefficients } = found(
      historyOf(u, [...marginals, ...scalars], {
        law: (noise) => ({ kind: 'gaussian', variance: noise === law ? 199.83337499007 : 7.835397 }),
      }).estimate(question),
    )
    const expected = twin.coefficients.reduce((sum, a, k) => sum + a * Number(all[k]!.values[0]!), 0)
    const size = all.reduce((sum, { values }) => sum + Math.abs(Number(values[0]!)), 0)
    expect(Math.abs(estimate - expected)).toBeLessThan(1e-10 * size)
    expect(Math.abs(varianceOfError(coefficients) / twin.variance - 1)).toBeLessThan(1e-9)
  }
  const noisy = (query: LinearQuery, i: number) => measured(`${i}.0`, query, [below(1000)], i % 3 ? law : finer)

  test('600 ranges over 40 cells', () => {
    const u = universe([integers('a', 40)])
    const scalars = Array.from({ length: 600 }, (_, i) => noisy(count({ a: range(40) }), i))
    compare(u, scalars, [], count({ a: range(40) }))
  })

  test('300 ranges over two attributes, beside their one-way marginals', () => {
    const u = universe([integers('a', 9), integers('b', 7)])
    const scalars = Array.from({ length: 300 }, (_, i) => noisy(count({ a: range(9), b: range(7) }), i))
    const marginals = [
      measured(
        'a',
        marginal(['a']),
        Array.from({ length: 9 }, () => below(1000)),
      ),
      measured(
        'b',
        marginal(['b']),
        Array.from({ length: 7 }, () => below(1000)),
        finer,
      ),
    ]
    compare(u, scalars, marginals, count({ a: range(9), b: range(7) }))
    compare(u, scalars.slice(0, 40), marginals, scalars[3]!.query)
  })
})
