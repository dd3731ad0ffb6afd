import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fits } from '../../../test/statistical/goodness.ts'
import { ages, metered, promise } from '../../../test/support/metered.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { divide, parseRational, rational } from '../../numeric/index.ts'
import { countAll, MarginalList, marginal, type NoiseLaw, weightAt } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { type Charge, chargeUnits, openAccount, Purse, rhoCap } from '../accounting/index.ts'
import { Book, verifyRows } from '../ledger/index.ts'
import type { Draws, SelectionRequest } from './index.ts'

const refused = (code: string) => expect.objectContaining({ code })
const nobody = { analyst: null, statement: null }
const tenth = rational(1, 10)
const withDelta = { ...promise, delta: parseRational('1e-6')!, composition: 'zcdp' } as const
/** Fifty of every age: 500 in all, and a table of fifties. */
const queries = [countAll, ages(0, 4), marginal(['age'])]
/** The model knows how many there are, but puts all of them at age 0: off by 0, 250 and 900. */
const model = [500, 500, 500, ...new Array<number>(9).fill(0)]
const all = { candidates: [0, 1, 2], model, epsilon: tenth }

async function opened(held: { epsilon: string } | { rho: string }, options: Parameters<typeof metered>[0] = {}) {
  const made = await metered(options)
  const amount =
    'rho' in held
      ? { rho: parseRational(held.rho)! }
      : { epsilon: parseRational((held as { epsilon: string }).epsilon)! }
  const draws = await made.meter.openDraws({ queries, ...amount, ...nobody })
  return { ...made, draws }
}

describe('a run that holds ε', () => {
  test('sells answers, choices and distances in whatever order, and records them so', async () => {
    const { draws, book, ledger, log } = await opened({ epsilon: '1' })
    const chosen = draws.select(all)
    expect(chosen).toBe(2) // 650 ahead at ε = 0.1: another one in 10^14 runs
    const values = draws.draw({ query: chosen, scale: rational(10) })
    const far = draws.score({ query: 1, scale: rational(4), model: [500] })
    expect(Math.abs(Number(far) - 250)).toBeLessThan(120) // 30 scales: one in 10^13 runs
    const { measurements } = await draws.close()
    expect(measurements).toEqual([
      { id: '2.1', query: queries[2], law: { kind: 'laplace', scale: rational(10) }, values },
    ])
    expect(log).toEqual(['run-open', 'answer', 'run-close'])
    // 0.1 for the choice, 0.1 for the table, 0.25 for the distance.
    expect(book.spent().epsilon).toBe(4.5e11)
    const rows = await ledger.read(0)
    expect(rows.at(-1)!.row).toMatchObject({
      purchases: [
        { kind: 'selection', candidates: [[0, 2]], weights: null, rate: rational(1, 20) },
        { query: queries[2] },
        { kind: 'score', query: 1, law: { kind: 'laplace', scale: rational(4) } },
      ],
      values: [Float64Array.of(2), values, Float64Array.of(Number(far))],
    })
    expect(verifyRows(rows)).toEqual([])
    expect(book.releases[0]!.charges.map(({ kind }) => kind)).toEqual(['selection', 'measurement', 'score'])
    expect(book.measurement('2.0')).toBeUndefined()
    expect((await Book.open(ledger)).spent()).toEqual(book.spent())
  })
  test('counts choices and distances beside the worst cell, up to what it holds', async () => {
    const { draws, book } = await opened({ epsilon: '0.3' })
    draws.select(all)
    draws.draw({ query: 1, scale: rational(10) })
    // Another half of the people: no more than the first.
    const halves = await metered()
    const run = await halves.meter.openDraws({ queries: [ages(0, 4), ages(5, 9)], epsilon: rational(3, 10), ...nobody })
    run.draw({ query: 0, scale: rational(10) })
    run.draw({ query: 1, scale: rational(10) })
    run.select({ candidates: [0, 1], model: [0, 0], epsilon: rational(2, 10) })
    expect(() => run.select({ candidates: [0], model: [0], epsilon: rational(1, 10 ** 6) })).toThrow(
      refused('budget-exceeded'),
    )
    await run.close()
    expect(halves.book.spent().epsilon).toBe(3e11)
    expect(() => draws.select({ ...all, epsilon: rational(11, 100) })).toThrow(refused('budget-exceeded'))
    expect(() => draws.score({ query: 0, scale: rational(9), model: [0] })).toThrow(refused('budget-exceeded'))
    draws.score({ query: 0, scale: rational(10), model: [0] })
    expect(draws.allows([{ query: 0, scale: rational(1000) }])).toBe(false)
    await draws.close()
    expect(book.spent().epsilon).toBe(3e11)
  })
  test('sells no Gaussian noise', async () => {
    const { draws } = await opened({ epsilon: '1' })
    const gaussian = { query: 0, variance: rational(1000) }
    expect(draws.allows([gaussian])).toBe(false)
    expect(() => draws.draw(gaussian)).toThrow(RangeError)
    expect(() => draws.score({ ...gaussian, model: [0] })).toThrow(RangeError)
    await draws.close()
  })
  test('is calibrated to what one person can move', async () => {
    for (const [privacy, rate, units] of [
      [promise, rational(1, 20), 3e11],
      [{ ...promise, neighbours: 'replace-one' }, rational(1, 40), 5e11],
      [{ ...promise, unit: { kind: 'column', column: 'age', rows: 2 } }, rational(1, 40), 5e11],
    ] as const) {
      const { draws, book, ledger } = await opened({ epsilon: '1' }, { privacy })
      draws.select(all)
      draws.score({ query: 2, scale: rational(5), model: model.slice(2) })
      await draws.close()
      expect((await ledger.read(2))[0]!.row).toMatchObject({ purchases: [{ rate }, {}] })
      // The choice costs its ε; the distance Δ/5.
      expect(book.spent().epsilon).toBe(units)
    }
  })
})

describe('a run that holds ρ', () => {
  test('holds no ε, and charges in both currencies take its place', async () => {
    const { draws, book } = await opened({ rho: '0.01' }, { privacy: withDelta })
    await book.follow()
    expect(book.spent()).toEqual({ epsilon: Number.POSITIVE_INFINITY, rho: 1e10 })
    expect(draws.select({ ...all, epsilon: rational(1, 5) })).toBe(2)
    await draws.close()
    expect(book.spent()).toEqual({ epsilon: 2e11, rho: 5e9 })
  })
  test('sells Gaussian noise, choices at ε²/8 and distances at Δ²/2σ²', async () => {
    const { draws, book, ledger } = await opened({ rho: '0.01' }, { privacy: withDelta })
    expect(draws.allows([{ query: 2, variance: rational(50) }])).toBe(true)
    expect(draws.allows([{ query: 2, variance: rational(49) }])).toBe(false)
    expect(() => draws.draw({ query: 0, scale: rational(10) })).toThrow(RangeError)
    draws.draw({ query: 2, variance: rational(100) })
    draws.score({ query: 2, variance: rational(200), model: model.slice(2) })
    draws.select({ ...all, epsilon: rational(1, 10) })
    expect(() => draws.draw({ query: 0, variance: rational(100) })).toThrow(refused('budget-exceeded'))
    await draws.close()
    expect(book.spent().rho).toBe(5e9 + 2.5e9 + 1.25e9)
    expect((await Book.open(ledger)).spent()).toEqual(book.spent())
  })
  test('needs a policy with δ, and either ε or ρ above 0', async () => {
    const { meter, log } = await metered()
    const start = (held: object) => meter.openDraws({ queries, ...held, ...nobody } as never)
    for (const held of [{ rho: tenth }, {}, { epsilon: tenth, rho: tenth }])
      await expect(start(held)).rejects.toThrow(refused('scale-invalid'))
    const made = await metered({ privacy: withDelta })
    for (const held of [{}, { epsilon: tenth, rho: tenth }, { rho: rational(0) }, { rho: rational(-1) }])
      await expect(made.meter.openDraws({ queries, ...held, ...nobody } as never)).rejects.toThrow(
        refused('scale-invalid'),
      )
    expect([...log, ...made.log]).toEqual([])
  })
  test('beyond what is left is refused, with what is left', async () => {
    const { meter } = await metered({ privacy: withDelta })
    const most = rhoCap(rational(1), withDelta.delta)
    const start = (units: number) => meter.openDraws({ queries, rho: rational(units, 10n ** 12n), ...nobody })
    await expect(start(most + 1)).rejects.toMatchObject({ code: 'budget-exceeded', facts: { left: 1 } })
    await start(most)
  })
})

test('guards are asked about every choice and distance, and their no is charged nothing', async () => {
  const seen: string[][] = []
  let strict = false
  const { draws, book } = await opened(
    { epsilon: '1' },
    {
      approve: (charges) => {
        seen.push(charges.map(({ kind }) => kind))
        if (strict) throw new ReticentError('guarded', {}, { message: 'no' })
      },
    },
  )
  draws.select(all)
  strict = true
  expect(() => draws.score({ query: 0, scale: rational(10), model: [0] })).toThrow(refused('guarded'))
  expect(() => draws.select(all)).toThrow(refused('guarded'))
  // Answers were approved once and for all when the run was opened.
  draws.draw({ query: 0, scale: rational(10) })
  expect(seen.slice(1)).toEqual([['selection'], ['selection', 'score'], ['selection', 'selection']])
  await draws.close()
  expect(book.spent().epsilon).toBe(2e11)
})

test('never cost a record more than what is held, in whatever order, and close at what they cost', async () => {
  let [taken, denied] = [0, 0]
  const cases = smallUniverse(2, [1, 2, 3]).chain((over) =>
    fc.record({
      over: fc.constant(over),
      asked: fc.array(queryOver(over), { minLength: 1, maxLength: 3 }),
      privacy: fc.constantFrom(
        withDelta,
        { ...withDelta, unit: { kind: 'column', column: 'person', rows: 2 } } as const,
        { ...withDelta, neighbours: 'replace-one' } as const,
      ),
      inRho: fc.boolean(),
      thousandths: fc.integer({ min: 1, max: 20 }),
      steps: fc.array(
        fc.record({
          kind: fc.constantFrom('draw' as const, 'select' as const, 'score' as const),
          query: fc.nat(2),
          noise: fc.integer({ min: 100, max: 20_000 }),
        }),
        { maxLength: 10 },
      ),
    }),
  )
  const check = fc.asyncProperty(cases, async ({ over, asked, privacy, inRho, thousandths, steps }) => {
    const { meter, book } = await metered({ over, rows: [], privacy })
    const amount = rational(thousandths, 1000)
    const draws = await meter.openDraws({
      queries: asked,
      ...(inRho ? { rho: amount } : { epsilon: amount }),
      ...nobody,
    })
    const terms = { universe: over, privacy }
    const charges: Charge[] = []
    // By definition: all rows of a person come or go, or one moves.
    const sensitivities = asked.map((query) => {
      const weights = [...cellsOf(over)].map((cell) => weightAt(query, over, cell))
      if (privacy.neighbours === 'replace-one') return BigInt(Math.max(...weights) - Math.min(...weights))
      return BigInt((privacy.unit.kind === 'row' ? 1 : 2) * Math.max(...weights.map(Math.abs)))
    })
    const most = sensitivities.reduce((a, b) => (a > b ? a : b))
    for (const { kind, query: place, noise } of steps) {
      const query = place % asked.length
      const spread = inRho ? { variance: rational(noise) } : { scale: rational(noise) }
      const law: NoiseLaw = inRho
        ? { kind: 'gaussian', variance: rational(noise) }
        : { kind: 'laplace', scale: rational(noise) }
      const epsilon = rational(1, noise)
      const charge: Charge =
        kind === 'draw'
          ? { kind: 'measurement', query: asked[query]!, law }
          : kind === 'score'
            ? { kind: 'score', law, sensitivity: sensitivities[query]! }
            : { kind: 'selection', rate: divide(epsilon, rational(2n * (most || 1n))), sensitivity: most }
      const candidates = [...asked.keys()]
      try {
        if (kind === 'draw') draws.draw({ query, ...spread })
        else if (kind === 'score') draws.score({ query, ...spread, model: [0] })
        else draws.select({ candidates, model: asked.map(() => 0), epsilon })
        charges.push(charge)
        taken++
      } catch (error) {
        expect(error).toMatchObject({ code: 'budget-exceeded' })
        denied++
      }
      const account = openAccount({ ...terms, currency: inRho ? 'rho' : 'epsilon' })
      account.add(charges)
      expect(account.spent()).toBeLessThanOrEqual(chargeUnits(amount))
    }
    await draws.close()
    const purse = new Purse(terms)
    purse.add(charges)
    expect(book.spent()).toEqual(purse.spent(book.cap))
  })
  await fc.assert(check, { numRuns: 100 })
  expect(Math.min(taken, denied)).toBeGreaterThan(20)
})

// 4,000 choices through the meter, one false alarm in 10^6.
test('the law of a choice, through the meter, is that of its ε', async () => {
  const { meter } = await metered({ privacy: { ...promise, epsilon: rational(5000), neighbours: 'replace-one' } })
  const draws = await meter.openDraws({ queries, epsilon: rational(5000), ...nobody })
  // Distances 3, 5 and 9; one is penalised by 2. A table has sensitivity 2, so the rate is ε/4.
  const near = [503, 255, 59, ...new Array<number>(9).fill(50)]
  const request = { ...all, model: near, penalties: [0, 2, 0], epsilon: rational(1) }
  const drawn = Array.from({ length: 4000 }, () => draws.select(request))
  const cdf = (rate: number) => {
    const powers = [3, 3, 9].map((score) => Math.exp(rate * score))
    const total = powers.reduce((a, b) => a + b)
    return (k: number) => (k < 0 ? 0 : k >= 2 ? 1 : powers.slice(0, k + 1).reduce((a, b) => a + b) / total)
  }
  expect(fits(drawn, cdf(1 / 4))).toBe(true)
  expect(fits(drawn, cdf(1.3 / 4))).toBe(false)
})

/** As long as it should be when it is first asked, and nothing in it after five reads. */
const shorter = () => {
  let reads = 0
  return (target: object, key: string | symbol) =>
    key !== 'length' && reads++ > 4 ? undefined : Reflect.get(target, key)
}

describe('a model that the run is told', () => {
  test('bit by bit is chosen against as one that is handed over', async () => {
    const { draws, book, ledger } = await opened({ epsilon: '1' })
    draws.tell({ answers: new Array<number>(12).fill(0) })
    draws.tell({ queries: [0, 2], answers: [500, ...new Array<number>(10).fill(50)] })
    // Now only the ages from 0 to 4 are off: by 250, and 250 ahead at ε = 0.1 is another one in 10^5 runs.
    expect(draws.select({ epsilon: rational(4, 10) })).toBe(1)
    await draws.close()
    expect(book.spent().epsilon).toBe(4e11)
    expect((await ledger.read(2))[0]!.row).toMatchObject({
      purchases: [{ candidates: [[0, 2]], rate: rational(1, 5) }],
    })
  })
  test.each<[string, object]>([
    ['too few answers', { queries: [0, 1], answers: [0] }],
    ['too many answers', { queries: [0], answers: [0, 0] }],
    ['fractions', { queries: [0], answers: [0.5] }],
    ['texts', { queries: [0], answers: ['0'] }],
    ['queries out of order', { queries: [1, 0], answers: [0, 0] }],
    ['a query that is not there', { queries: [3], answers: [0] }],
  ])('is refused where it has %s', async (_, wrong) => {
    const { draws } = await opened({ epsilon: '1' })
    expect(() => draws.tell(wrong as never)).toThrow(RangeError)
    expect(() => draws.select({ candidates: [0], epsilon: tenth })).toThrow('needs a model')
    await draws.close()
  })
  test('in part is enough for those candidates alone, and what is refused costs nothing', async () => {
    const { draws, book } = await opened({ epsilon: '1' })
    draws.tell({ queries: [1], answers: [0] })
    expect(() => draws.select({ epsilon: tenth })).toThrow('needs a model')
    expect(() => draws.select({ candidates: [0, 1], epsilon: tenth })).toThrow('needs a model')
    expect(draws.select({ candidates: [1], epsilon: tenth })).toBe(1)
    await draws.close()
    expect(book.spent().epsilon).toBe(1e11)
    expect(() => draws.tell({ queries: [1], answers: [0] })).toThrow('closed')
  })
  test('while another is read does not take its place', async () => {
    const { draws } = await opened({ epsilon: '1' })
    const handed = Float64Array.from(model)
    // The first is 400 steps further from the other, which would make it the likeliest by far.
    const other = () => Float64Array.of(4000, ...model.slice(1))
    for (const late of [other(), other().fill(Number.NaN, 11), other().fill(0.5, 2)]) {
      const num = () => {
        try {
          draws.tell({ answers: late })
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
        return 3n
      }
      const epsilon = Object.defineProperty({ den: 10n }, 'num', { get: num }) as never
      // 650 ahead at ε = 0.3: another one in 10^42 runs.
      expect(draws.select({ model: handed, epsilon })).toBe(2)
    }
    await draws.close()
  })
})

test('a list of marginals is charged, sold and recorded as its queries are', async () => {
  const list = new MarginalList(['age', 'member'], 1, [0, 1])
  const counts = [...new Array<number>(10).fill(0), 250, 250, 0]
  for (const privacy of [promise, { ...promise, neighbours: 'replace-one' } as const]) {
    const rows = []
    for (const queries of [list, [...list]]) {
      const { meter, book, ledger } = await metered({ privacy })
      const draws = await meter.openDraws({ queries, epsilon: rational(1), ...nobody })
      draws.tell({ answers: counts })
      // 500 ahead at ε = 0.5: another one in 10^27 runs.
      const chosen = draws.select({ epsilon: rational(1, 2) })
      expect(chosen).toBe(0)
      draws.draw({ query: chosen, scale: rational(10) })
      draws.score({ query: 1, scale: rational(10), model: [0, 0, 0] })
      await draws.close()
      const [open, close] = (await ledger.read(1)).map(({ row }) => row as unknown as Record<string, unknown>)
      rows.push({ queries: [...(open!.queries as MarginalList)], sold: close!.purchases, spent: book.spent() })
    }
    expect(rows[0]).toEqual(rows[1])
  }
})

describe('whoever hands over what the types forbid gets nothing for it:', () => {
  const tries: [string, object][] = [
    ['no candidates', { candidates: [] }],
    ['a candidate twice', { candidates: [1, 1, 2] }],
    ['candidates out of order', { candidates: [1, 0, 2] }],
    ['a candidate that is not there', { candidates: [0, 1, 3] }],
    ['a candidate below 0', { candidates: [-1, 1, 2] }],
    ['half a candidate', { candidates: [0.5, 1, 2] }],
    ['endless candidates', { candidates: { length: 2 ** 40 } }],
    ['a model with a NaN', { model: model.with(3, Number.NaN) }],
    ['a model of fractions', { model: model.with(3, 0.5) }],
    ['a model beyond 2^53', { model: model.with(3, 2 ** 53) }],
    ['a model that ends early', { model: model.slice(1) }],
    ['a model that goes on', { model: [...model, 0] }],
    ['a model that runs out while it is read', { model: new Proxy(model.map(BigInt), { get: shorter() }) }],
    ['a model of texts', { model: model.map(String) }],
    ['a penalty of infinity', { penalties: [0, Number.POSITIVE_INFINITY, 0] }],
    ['too few penalties', { penalties: [0] }],
    ['a weight of 0', { weights: [1, 0, 1] }],
    ['a weight below 0', { weights: [1, -1, 1] }],
    ['no ε', { epsilon: rational(0) }],
    ['ε below 0', { epsilon: rational(-1) }],
    ['ε with a negative denominator', { epsilon: { num: 1n, den: -10n } }],
  ]
  test.each(tries)('%s', async (_, wrong) => {
    const { draws, book } = await opened({ epsilon: '1' })
    expect(() => draws.select({ ...all, ...wrong } as SelectionRequest)).toThrow(RangeError)
    await draws.close()
    expect(book.spent().epsilon).toBe(0)
  })
  test('a score about no query, or against no model', async () => {
    const { draws, book } = await opened({ epsilon: '1' })
    const scale = rational(10)
    for (const wrong of [{ query: 3 }, { query: 0.5 }, { query: 0, model: [] }, { query: 0, model: [Number.NaN] }])
      expect(() => draws.score({ scale, model: [0], ...wrong })).toThrow(RangeError)
    await draws.close()
    expect(book.spent().epsilon).toBe(0)
  })
  test('numbers that are others each time they are read', async () => {
    const { draws, ledger } = await opened({ epsilon: '1' })
    let reads = 0
    const shifting = new Proxy([0, 1, 2], {
      get: (target, key) => (key === '0' && reads++ > 0 ? 1 : Reflect.get(target, key)),
    })
    draws.select({ ...all, candidates: shifting })
    let asked = 0
    const epsilon = {
      den: 10n,
      get num() {
        return asked++ > 0 ? 9n : 1n
      },
    }
    draws.select({ ...all, epsilon })
    await draws.close()
    const rates = (await ledger.read(2)).map(({ row }) => row)
    expect(rates).toMatchObject([{ purchases: [{ candidates: [[0, 2]] }, { rate: rational(1, 20) }] }])
  })
  test('whoever is asked on the way cannot call back', async () => {
    let draws: Draws | undefined
    const approve = () => {
      draws?.select(all)
    }
    const made = await opened({ epsilon: '1' }, { approve })
    draws = made.draws
    expect(() => made.draws.select(all)).toThrow('closed')
    expect(() => made.draws.score({ query: 0, scale: rational(10), model: [0] })).toThrow('closed')
    draws = undefined
    await made.draws.close()
    expect(made.book.spent().epsilon).toBe(0)
  })
  test('a closed run', async () => {
    const { draws } = await opened({ epsilon: '1' })
    await draws.close()
    expect(() => draws.select(all)).toThrow(RangeError)
    expect(() => draws.score({ query: 0, scale: rational(10), model: [0] })).toThrow(RangeError)
  })
})
