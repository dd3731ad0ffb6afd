import { describe, expect, test } from 'vitest'
import { metered, promise } from '../../../../test/support/metered.ts'
import { type RawRecord, seededBits } from '../../../evaluation/index.ts'
import { one, parseRational, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { marginal } from '../../../query/index.ts'
import { attribute, ReticentError, type Universe, universe } from '../../../schema/index.ts'
import { distanceSensitivity, isAnswer, scaleFor, varianceFor } from '../../../trusted/accounting/index.ts'
import type { Approve } from '../../../trusted/meter/index.ts'
import type { SynthContext } from '../method.ts'
import { pairs } from './pairs.ts'
import type { PairsRequest } from './stages.ts'

const people = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 19, closed: true }),
  attribute({ kind: 'values', name: 'state', values: ['a', 'b', 'c', 'd', 'e'], other: false, closed: false }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
  attribute({ kind: 'boolean', name: 'voter', closed: true }),
])
/** Members are old, voters are members, and states go with age. */
const rows = Array.from({ length: 1000 }, (_, i) => {
  const age = i % 20
  const member = age >= 10
  return { age, state: 'abcde'[Math.floor(age / 4)]!, member, voter: i % 7 === 0 ? !member : member }
})

interface Setting {
  readonly neighbours?: 'add-remove' | 'replace-one'
  readonly delta?: Rational
  readonly approve?: Approve
  readonly over?: Universe
  readonly table?: readonly RawRecord[]
  readonly epsilon?: Rational
}
const delta = parseRational('1e-6')!

async function setting({ neighbours = 'add-remove', approve, over = people, table = rows, ...more }: Setting) {
  const pure = !more.delta
  const privacy = {
    ...{ ...promise, neighbours, epsilon: more.epsilon ?? rational(100) },
    ...(pure ? {} : { delta: more.delta!, composition: 'zcdp' as const }),
  }
  const { meter, book, log } = await metered({ privacy, over, rows: table, ...(approve && { approve }) })
  const buyer = { analyst: null, statement: null }
  const terms = { universe: over, privacy }
  const context: SynthContext = {
    universe: over,
    unitNoise: (query) => (pure ? scaleFor : varianceFor)(query, one, terms),
    distanceSensitivity: (query) => distanceSensitivity(query, terms),
    meter: {
      measure: (charges) => meter.measure({ ...buyer, charges }),
      openRun: (run) => meter.openRun({ ...buyer, ...run }),
      openDraws: (draws) => meter.openDraws({ ...buyer, ...draws }),
    },
    random: seededBits(1).uniform,
  }
  return { context, book, log }
}

const request = (more: Partial<PairsRequest>): PairsRequest => ({
  budget: { epsilon: rational(10) },
  records: { kind: 'known', count: 1000 },
  history: [],
  ...more,
})

describe.each(['add-remove', 'replace-one'] as const)('through the shipped meter, with %s neighbours', (neighbours) => {
  test('in ε: two runs, no scores, all of ε and no more', async () => {
    const { context, book, log } = await setting({ neighbours })
    const { model, steps, receipts } = await pairs.make(request({}), context)
    expect(log).toEqual(['run-open', 'answer', 'run-close', 'run-open', 'answer', 'run-close'])
    expect(steps.map(({ name, count }) => [name, count])).toEqual([
      ['one-way marginals', 4],
      ['pairs', 6],
    ])
    expect(receipts.flatMap(({ measurements }) => measurements)).toHaveLength(10)
    // In units of 10^-12: each of ten tables is rounded by less than one.
    expect(book.spent().epsilon).toBeLessThanOrEqual(10e12)
    expect(book.spent().epsilon).toBeGreaterThan(10e12 - 10)
    // Members are those of ten and older; noise of a few in a hundred.
    const table = model.marginal([0, 2])
    const members = table.filter((_, cell) => cell % 2 === 1)
    expect(members.slice(10).reduce((a, b) => a + b)).toBeGreaterThan(450)
    expect(members.slice(0, 10).reduce((a, b) => a + b)).toBeLessThan(50)
  })

  test('in ρ: scores choose how coarse each pair is, and all of ρ is spent', async () => {
    const { context, book, log } = await setting({ neighbours, delta })
    const { steps, model } = await pairs.make(request({ budget: { rho: rational(2) } }), context)
    expect(log).toEqual(['run-open', 'answer', 'run-close', 'run-open', 'answer', 'run-close'])
    expect(steps.map(({ name }) => name)).toEqual(['one-way marginals', 'scores', 'pairs'])
    expect(steps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
    expect(book.spent().rho!).toBeLessThanOrEqual(2e12)
    expect(book.spent().rho!).toBeGreaterThan(2e12 - 100)
    const written = model.rows(1000, context.random)
    const both = written[2]!.filter((code, row) => code === 1 && written[0]![row]! >= 10).length
    expect(both).toBeGreaterThan(440)
  })

  test('the number of records is bought where it is not known', async () => {
    const { context, book } = await setting({ neighbours })
    const { model, steps } = await pairs.make(request({ records: { kind: 'bought', share: rational(1, 50) } }), context)
    expect(steps[0]).toMatchObject({ name: 'number of records', count: 1 })
    // Laplace noise of scale 5 or 10.
    expect(Math.abs(model.records - 1000)).toBeLessThan(40 * 10)
    expect(book.spent().epsilon).toBeLessThanOrEqual(10e12)
  })
})

test('the number of records is told by all one-way marginals, too', async () => {
  const { context } = await setting({})
  const records = { kind: 'bought', share: rational(1, 10_000) } as const
  const { model } = await pairs.make(request({ records }), context)
  // By itself with a scale of 10 for a tenth of 10; marginals of two cells with a scale below 4: thrice 30 is never reached.
  expect(Math.abs(model.records - 1000)).toBeLessThan(90)
})

test.each([{}, { delta }])('the release done once more is as far off as the release is: %o', async (more) => {
  const { context } = await setting(more)
  const budget = more.delta ? { rho: rational(1, 100) } : { epsilon: rational(1) }
  const { model, rehearsal } = await pairs.make(request({ budget }), context)
  const rehearsed = await rehearsal!()
  const { sizes, columns } = { sizes: people.attributes.map(({ size }) => size), columns: codesOf(rows) }
  let [told, true_] = [0, 0]
  for (const [a, b] of [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ] as const) {
    const table = model.marginal([a, b]).map((count) => count / model.records)
    for (let r = 0; r < rows.length; r++) table[columns[a]![r]! * sizes[b]! + columns[b]![r]!]! -= 1 / rows.length
    true_ += table.reduce((sum, difference) => sum + Math.abs(difference), 0) / 2
    told += rehearsed([a, b])!
  }
  expect(told / true_).toBeGreaterThan(1 / 2)
  expect(told / true_).toBeLessThan(2)
})
const codesOf = (table: typeof rows): number[][] => [
  table.map(({ age }) => age),
  table.map(({ state }) => 'abcde'.indexOf(state)),
  table.map(({ member }) => Number(member)),
  table.map(({ voter }) => Number(voter)),
]

test('where guards forbid scores, all pairs have the usual coarseness and the others go on', async () => {
  const approve: Approve = (charges) => {
    if (charges.some((charge) => !isAnswer(charge))) throw new ReticentError('guarded', {}, { message: 'no' })
  }
  const { context, book } = await setting({ delta, approve })
  const { steps } = await pairs.make(request({ budget: { rho: rational(2) } }), context)
  expect(steps.map(({ name }) => name)).toEqual(['one-way marginals', 'pairs'])
  expect(book.spent().rho!).toBeGreaterThan(2e12 - 100)
})

test('what a guard refuses is left out, and said', async () => {
  const approve: Approve = (charges) => {
    for (const { query } of charges.filter(isAnswer))
      if (query.by.some(({ attribute }) => attribute === 'voter'))
        throw new ReticentError('guarded', {}, { message: 'no' })
  }
  const { context } = await setting({ approve })
  const { steps, model } = await pairs.make(request({}), context)
  expect(steps.map(({ name, count }) => [name, count])).toEqual([
    ['one-way marginals', 3],
    ['pairs (a guard refused 3)', 3],
  ])
  // Nothing is known about voters.
  for (const half of model.marginal([3])) expect(Math.abs(half - 500)).toBeLessThan(50)
})

test('what the history tells as well is not bought again', async () => {
  const { context, book } = await setting({})
  const scale = rational(1, 10)
  const known = [['age'], ['state'], ['member', 'age']].map((names) => marginal(names))
  const { measurements } = await context.meter.measure(
    known.map((query) => ({ query, law: { kind: 'laplace', scale } })),
  )
  const before = book.spent().epsilon
  const { steps, model } = await pairs.make(request({ history: measurements }), context)
  expect(steps.map(({ name, count }) => [name, count])).toEqual([
    ['one-way marginals', 1],
    ['pairs', 5],
  ])
  expect(book.spent().epsilon - before).toBeGreaterThan(10e12 - 10)
  const table = model.marginal([0, 2])
  // Fifty of every age; the history's noise is below 1.
  for (let age = 0; age < 20; age++) expect(Math.abs(table[2 * age + (age >= 10 ? 1 : 0)]! - 50)).toBeLessThan(10)
})

test('a signal ends it at the next table; what was shown is recorded', async () => {
  const { context, book, log } = await setting({})
  const stopped = new AbortController()
  const { meter } = context
  const openDraws: typeof meter.openDraws = async (asked) => {
    const draws = await meter.openDraws(asked)
    const sell = draws.draw.bind(draws)
    const draw: typeof sell = (wanted) => {
      setImmediate(() => stopped.abort())
      return sell(wanted)
    }
    return Object.assign(draws, { draw })
  }
  const interrupted = { ...context, meter: { ...meter, openDraws }, signal: stopped.signal }
  await expect(pairs.make(request({}), interrupted)).rejects.toMatchObject({ code: 'interrupted' })
  expect(log).toEqual(['run-open', 'answer', 'run-close'])
  const shown = book.releases.flatMap(({ measurements }) => measurements).length
  expect(shown).toBeGreaterThan(0)
  expect(shown).toBeLessThan(4)
})

test('what is planned is what is done', async () => {
  for (const budget of [{ epsilon: rational(10) }, { rho: rational(2) }]) {
    const { context } = await setting(budget.rho ? { delta } : {})
    const planned = pairs.plan(request({ budget }), context)
    const { steps } = await pairs.make(request({ budget }), context)
    expect(planned.steps.map(({ name, share }) => [name, share])).toEqual(steps.map(({ name, share }) => [name, share]))
    expect(planned.steps[0]!.deviation).toEqual(steps[0]!.deviation)
  }
})

test('scores are bought in ε where tables have many cells', async () => {
  const whole = (name: string, high: number) => attribute({ kind: 'integer', name, low: 0, high, closed: true })
  const named = async (values: number) => {
    const table = Array.from({ length: 2000 }, (_, i) => ({ a: i % 40, b: (i + (i % 3)) % values }))
    const { context } = await setting({ over: universe([whole('a', 39), whole('b', values - 1)]), table })
    const records = { kind: 'known', count: table.length } as const
    const { steps } = await pairs.make(request({ budget: { epsilon: one }, records }), context)
    return steps.map(({ name }) => name)
  }
  expect(await named(40)).toEqual(['one-way marginals', 'scores', 'pairs'])
  expect(await named(2)).toEqual(['one-way marginals', 'pairs'])
})

describe('tables at the edge', () => {
  const single = attribute({ kind: 'values', name: 'only', values: ['x'], other: false, closed: true })
  const large = attribute({ kind: 'integer', name: 'large', low: 0, high: 4999, closed: true })
  const bit = attribute({ kind: 'boolean', name: 'bit', closed: true })
  const cases: [string, Universe, readonly RawRecord[]][] = [
    ['one attribute', universe([bit]), [{ bit: true }, { bit: true }, { bit: false }]],
    ['one attribute of one value', universe([single]), [{ only: 'x' }]],
    ['an attribute of one value among others', universe([single, bit, large]), [{ bit: true, large: 77 }]],
    ['many values and one record', universe([large, bit]), [{ large: 4999, bit: false }]],
  ]
  for (const [name, over, table] of cases)
    test.each([{ epsilon: one }, { rho: rational(1, 100) }])(`${name}, %o`, async (budget) => {
      const { context } = await setting({ over, table, ...(budget.rho && { delta }) })
      const known = { kind: 'known', count: table.length } as const
      const { model } = await pairs.make(request({ budget, records: known }), context)
      const all = model.marginal([...over.attributes.keys()].slice(0, 2))
      expect(all.every((value) => value >= 0)).toBe(true)
      expect(all.reduce((a, b) => a + b)).toBeCloseTo(table.length, 4)
      for (const count of [0, 1, 100])
        for (const [a, column] of model.rows(count, context.random).entries()) {
          expect(column).toHaveLength(count)
          for (const code of column) expect(code).toBeLessThan(over.attributes[a]!.size)
        }
    })

  test('too many attributes are refused before anything is spent', async () => {
    const over = universe(
      Array.from({ length: 300 }, (_, i) => attribute({ kind: 'boolean', name: `b${i}`, closed: true })),
    )
    const { context, log } = await setting({ over, table: [] })
    await expect(pairs.make(request({}), context)).rejects.toThrow('300 attributes make 44,850 pairs')
    expect(() => pairs.plan(request({}), context)).toThrow(ReticentError)
    expect(log).toEqual([])
  })
})

test.each<[string, Setting, PairsRequest['budget']]>([
  ['ε', {}, { epsilon: rational(10) }],
  ['ρ', { delta }, { rho: rational(2) }],
])('in %s a workload says which pairs are measured, and what each is worth', async (_, more, budget) => {
  const { context, book } = await setting(more)
  const wanted = [marginal(['age', 'member']), marginal(['member', 'age', 'voter']), marginal(['state'])]
  const { steps, receipts } = await pairs.make(request({ budget, queries: wanted }), context)
  const measured = receipts.flatMap(({ measurements }) => measurements).filter(({ query }) => query.by.length === 2)
  const names = measured.map(({ query }) => query.by.map(({ attribute }) => attribute).join())
  expect(names).toEqual(['age,member', 'age,voter', 'member,voter'])
  expect(steps.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
  const [spent, whole] = budget.rho ? [book.spent().rho, 2e12] : [book.spent().epsilon, 10e12]
  expect(spent).toBeLessThanOrEqual(whole)
  expect(spent).toBeGreaterThan(whole - 100)
  // Worth times cells, to a power, is what a table may cost: the noise that it has goes with the inverse.
  const noise = measured.map(({ law }) =>
    toNumber(law.kind === 'laplace' ? law.scale : (law as { variance: Rational }).variance),
  )
  const worth = measured.map(({ values }, i) => [2, 1, 1][i]! * values.length)
  const power = budget.rho ? 2 / 3 : 1 / 2
  for (const i of [1, 2]) expect(noise[i]! / noise[0]!).toBeCloseTo((worth[0]! / worth[i]!) ** power, 6)
})

test('a workload without pairs buys the one-way marginals alone', async () => {
  const { context } = await setting({})
  const { steps } = await pairs.make(request({ queries: [marginal(['age'])] }), context)
  expect(steps.map(({ name, count, share }) => [name, count, share])).toEqual([
    ['one-way marginals', 4, expect.closeTo(1, 9)],
  ])
})

test('where noise would drown pairs, all of ε goes to the attributes; in ρ pairs are measured still', async () => {
  const named = async (more: Setting, budget: PairsRequest['budget']) => {
    const { context } = await setting(more)
    const asked = request({ budget })
    const { steps, model } = await pairs.make(asked, context)
    expect(pairs.plan(asked, context).steps.map(({ name }) => name)).toEqual(steps.map(({ name }) => name))
    expect(model.marginal([0, 1, 2, 3]).reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(1000, 3)
    return steps.map(({ name, share }) => `${name}: ${share.toFixed(2)}`)
  }
  expect(await named({}, { epsilon: rational(1, 20) })).toEqual(['one-way marginals: 1.00'])
  expect(await named({}, { epsilon: rational(10) })).toHaveLength(2)
  expect(await named({ delta }, { rho: rational(1, 1000) })).toHaveLength(3)
})
