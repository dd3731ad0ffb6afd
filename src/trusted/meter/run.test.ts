import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { falseAlarm, laplaceCdf, pValue } from '../../../test/statistical/goodness.ts'
import { ages, laplace, metered, people, promise } from '../../../test/support/metered.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { add, compare, divide, fromNumber, type Rational, rational, toNumber, zero } from '../../numeric/index.ts'
import { countAll, type Grid, groupOf, type LinearQuery, marginal, scaleAt, weightAt } from '../../query/index.ts'
import { attribute, type Privacy, ReticentError, type Universe, universe } from '../../schema/index.ts'
import { type Charge, chargeUnits, isAnswer } from '../accounting/index.ts'
import { Book } from '../ledger/index.ts'

const refused = (code: string) => expect.objectContaining({ code })
const nobody = { analyst: null, statement: null }
const grid = { first: rational(100), step: rational(5), count: 20 }
/** The level of a scale on the grid. */
const at = (scale: number) => (100 - scale) / 5
const even = (first: number | bigint, step: number, count: number): Grid => ({
  first: rational(first),
  step: fromNumber(step),
  count,
})

/** Two halves of the people, whose costs do not add up, and everybody. */
const queries = [ages(0, 4), ages(5, 9), countAll]
async function opened(epsilon = 0.3, options: Parameters<typeof metered>[0] = {}) {
  const made = await metered(options)
  const run = await made.meter.openRun({ queries, grid, epsilon: fromNumber(epsilon), ...nobody })
  return { ...made, run }
}

describe('a run', () => {
  test('is reserved before the data are asked, and recorded when it closes', async () => {
    const { run, log, book } = await opened()
    expect(log).toEqual(['run-open', 'answer'])
    await book.follow()
    expect(book.spent().epsilon).toBe(3e11)
    expect(queries.map((_, q) => run.level(q))).toEqual([0, 0, 0])
    expect(run.lower(0, at(10)).level).toBe(at(10))
    run.lower(1, at(20))
    const { measurements, head } = await run.close()
    expect(log).toEqual(['run-open', 'answer', 'run-close'])
    expect(measurements.map(({ id, law }) => [id, law])).toEqual([
      ['2.0', { kind: 'laplace', scale: rational(10) }],
      ['2.1', { kind: 'laplace', scale: rational(20) }],
      ['2.2', { kind: 'laplace', scale: rational(100) }],
    ])
    expect(measurements.map(({ values }) => values)).toEqual(queries.map((_, q) => run.values(q)))
    expect(head).toEqual(book.head)
    // 1/10 for the young, and 1/100 for everybody.
    expect(book.spent().epsilon).toBe(1.1e11)
  })
  test('is counted by the worst cell, and not beyond what it reserved', async () => {
    const { run, book } = await opened(0.11)
    expect([run.allows(0, at(10)), run.allows(0, at(5))]).toEqual([true, false])
    run.lower(0, at(10))
    expect(() => run.lower(0, at(5))).toThrow(refused('budget-exceeded'))
    expect(run.allows(2, at(95))).toBe(false)
    run.lower(1, at(10))
    expect([run.level(0), run.level(1), run.level(2)]).toEqual([at(10), at(10), 0])
    await run.close()
    expect(book.spent().epsilon).toBe(1.1e11)
  })
  test('goes down only, along the grid only, and not after it is closed', async () => {
    const { run } = await opened()
    run.lower(0, 2)
    for (const level of [1, -1, 20, 2.5, Number.NaN]) {
      expect(run.allows(0, level)).toBe(false)
      expect(() => run.lower(0, level)).toThrow(RangeError)
    }
    expect(() => run.lower(3, 1)).toThrow(RangeError)
    expect(run.lower(0, 2).count).toBe(0)
    await run.close()
    expect(() => run.lower(0, 3)).toThrow(RangeError)
    await expect(run.close()).rejects.toThrow(RangeError)
  })
  test('that is not closed stays spent, and nothing of it enters the history', async () => {
    const { run, ledger } = await opened()
    run.lower(0, 2)
    const book = await Book.open(ledger)
    expect(book.spent().epsilon).toBe(3e11)
    expect(book.releases).toMatchObject([{ kind: 'run-open', state: 'open', measurements: [] }])
  })
  test('whose data cannot be read stays spent, and the failure is the engine’s', async () => {
    const { engine, meter, log, book } = await metered()
    engine.answer = () => Promise.reject(new ReticentError('engine-failed', {}, { message: 'no' }))
    const opening = meter.openRun({ queries, grid, epsilon: rational(3, 10), ...nobody })
    await expect(opening).rejects.toThrow(refused('engine-failed'))
    expect(log).toEqual(['run-open'])
    await book.follow()
    expect(book.spent().epsilon).toBe(3e11)
    expect(book.releases).toMatchObject([{ state: 'open' }])
  })
  test('holds half the square of its ε in ρ, for good', async () => {
    const privacy = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' } as const
    const { run, book } = await opened(0.2, { privacy })
    await run.close()
    expect(book.spent()).toEqual({ epsilon: 2e10, rho: 2e10 })
  })
  test('comes from an analyst’s quota too', async () => {
    const { meter, book } = await metered()
    const analyst = { name: 'alice', cap: { epsilon: 2e11, rho: null } }
    const start = (epsilon: Rational) => meter.openRun({ queries, grid, epsilon, analyst, statement: null })
    await expect(start(rational(3, 10))).rejects.toThrow(refused('budget-exceeded'))
    await start(rational(2, 10))
    await book.follow()
    expect(book.spent('alice').epsilon).toBe(2e11)
  })
  test('keeps to the grid that it reserved for, whatever becomes of the caller’s', async () => {
    const { meter } = await metered()
    const [mine, asked] = [{ ...grid }, [...queries]]
    const run = await meter.openRun({ queries: asked, grid: mine, epsilon: rational(1, 10), ...nobody })
    mine.first = rational(1000)
    asked.fill(ages(0, 0))
    expect([run.allows(2, at(10)), run.allows(2, at(20))]).toEqual([false, true])
    expect((await run.close()).measurements.map(({ query }) => query)).toEqual(queries)
  })
  test('that outlives its epoch may go on, and cannot close', async () => {
    const { run, ledger, book } = await opened()
    await ledger.append({ kind: 'epoch', attributes: people.attributes, fingerprint: book.fingerprint })
    run.lower(0, 2)
    await expect(run.close()).rejects.toThrow(refused('ledger-refused'))
    await book.follow()
    expect(book.spent().epsilon).toBe(3e11)
  })
  test('stops at the first change, pays for the level reached, and shows what changed', async () => {
    const hundred = universe([attribute({ kind: 'integer', name: 'cell', low: 1, high: 100, closed: true })])
    const { meter } = await metered({ over: hundred, rows: [] })
    const fine = even(400, 1, 200)
    const run = await meter.openRun({ queries: [marginal(['cell'])], grid: fine, epsilon: rational(1, 2), ...nobody })
    let before = run.values(0)
    let stops = 0
    while (run.level(0) < 199) {
      const { level, count, cells, values } = run.lower(0, 199, 'first-change')
      stops++
      expect(level).toBe(run.level(0))
      const after = run.values(0)
      const changed = [...after.keys()].filter((i) => after[i] !== before[i])
      expect([...cells.subarray(0, count)].sort((a, b) => a - b)).toEqual(changed)
      for (let i = 0; i < count; i++) expect(values[i]).toBe(after[cells[i]!])
      if (level < 199) expect(changed.length).toBeGreaterThan(0)
      before = after
    }
    // Some 2·100·ln 2 changes in 199 levels; fewer than 20 stops: less than 10^-30.
    expect(stops).toBeGreaterThan(20)
    expect((await run.close()).measurements[0]!.law).toEqual({ kind: 'laplace', scale: rational(201) })
  })
})

describe('before anything is charged', () => {
  test.each<[string, Grid]>([
    ['no grid', even(100, 1, 0)],
    ['a grid that stays', even(100, 0, 3)],
    ['a grid that rises', even(50, -50, 2)],
    ['a scale of 0', even(100, 100, 2)],
    ['a scale too small for noise', even(100, 99.9981, 2)],
    ['a scale too large to draw', even(2n ** 36n + 1n, 100, 2)],
    ['half a level', even(100, 1, 1.5)],
  ])('%s is refused', async (_, wrong) => {
    const { meter, log } = await metered()
    const opening = meter.openRun({ queries, grid: wrong, epsilon: rational(3, 10), ...nobody })
    await expect(opening).rejects.toThrow(refused('scale-invalid'))
    expect(log).toEqual([])
  })
  test('an ε below what the first scale costs is refused, and it says what it takes', async () => {
    const { meter, log } = await metered()
    const start = (epsilon: Rational) => meter.openRun({ queries, grid, epsilon, ...nobody })
    // Each record is counted twice at 1/100.
    await expect(start(rational(19, 1000))).rejects.toThrow(
      expect.objectContaining({ code: 'scale-invalid', facts: { needed: 0.02, epsilon: 0.019 } }),
    )
    await expect(start(zero)).rejects.toThrow(refused('scale-invalid'))
    await expect(start(rational(-1))).rejects.toThrow(refused('scale-invalid'))
    expect(log).toEqual([])
    expect((await start(rational(2, 100))).allows(0, 1)).toBe(false)
  })
  test('what is over the cap, about unknown attributes, or about nothing, is refused', async () => {
    const { meter, log } = await metered()
    const start = (asked: LinearQuery[], epsilon: Rational) =>
      meter.openRun({ queries: asked, grid, epsilon, ...nobody })
    await expect(start(queries, rational(11, 10))).rejects.toThrow(refused('budget-exceeded'))
    await expect(start(queries, rational(10n ** 20n))).rejects.toThrow(refused('budget-exceeded'))
    await expect(start([marginal(['shoe size'])], rational(1, 10))).rejects.toThrow(refused('unknown-name'))
    expect(log).toEqual([])
    await expect(start([], rational(1, 10))).rejects.toThrow(refused('query-invalid'))
    expect(log).toEqual([])
  })
  test('a guard is asked once where it lets the run show all that it may ever show', async () => {
    const seen: [readonly Charge[], number | undefined][] = []
    const { run } = await opened(0.3, { approve: (...asked) => void seen.push([asked[0], asked[1]]) })
    run.lower(1, at(20))
    const sharpest = queries.map((query) => ({
      kind: 'measurement',
      query,
      law: { kind: 'laplace', scale: rational(5) },
    }))
    expect(seen).toEqual([[sharpest, undefined]])
  })
  test('but once about a step on which there are many stops, and again when anything else has moved', async () => {
    const seen: number[] = []
    // What all of it may come to is refused, so that every step is asked about.
    const approve = (charges: readonly Charge[], number?: number) => {
      if (number !== undefined) seen.push(charges.length)
      else if (
        seen.length === 0 &&
        charges.some((c) => isAnswer(c) && c.law.kind === 'laplace' && toNumber(c.law.scale) < 100)
      )
        throw new ReticentError('guarded', {}, { message: 'no' })
    }
    const { run, buy, book } = await opened(0.3, { approve })
    const stops = () => {
      for (let level = 0; level < at(20); ) level = run.lower(0, at(20), 'first-change').level
    }
    stops()
    expect(seen).toHaveLength(1)
    run.lower(1, 1)
    run.lower(0, at(20))
    expect(seen).toHaveLength(3)
    await buy(countAll, laplace(0.1))
    await book.follow()
    run.lower(0, at(20))
    expect(seen).toHaveLength(4)
  })

  test('else for what is shown at once, and again before every step', async () => {
    const seen: [readonly Charge[], number | undefined][] = []
    let finest = 20
    const approve = (charges: readonly Charge[], number?: number) => {
      seen.push([charges, number])
      const scales = charges.map((c) => (isAnswer(c) && c.law.kind === 'laplace' ? toNumber(c.law.scale) : 0))
      if (scales.some((scale) => scale < finest)) throw new ReticentError('guarded', {}, { message: 'no' })
    }
    const { run, meter, log } = await opened(0.3, { approve })
    const first = { kind: 'laplace', scale: rational(100) }
    const start = queries.map((query) => ({ kind: 'measurement', query, law: first }))
    expect(seen.slice(1)).toEqual([[start, undefined]])
    run.lower(1, at(20))
    const lowered = { kind: 'measurement', query: queries[1], law: { kind: 'laplace', scale: rational(20) } }
    expect(seen[2]).toEqual([start.with(1, lowered as (typeof start)[0]), run.head.seq])
    const before = run.values(0)
    expect(() => run.lower(0, at(5), 'first-change')).toThrow(refused('guarded'))
    expect([run.level(0), run.values(0)]).toEqual([0, before])
    log.length = 0
    finest = 1000
    await expect(meter.openRun({ queries, grid, epsilon: rational(1, 10), ...nobody })).rejects.toThrow(
      refused('guarded'),
    )
    expect(log).toEqual([])
  })
  test('what fails in a guard is not taken for a no', async () => {
    const approve = () => {
      throw new TypeError('a mistake')
    }
    await expect(opened(0.3, { approve })).rejects.toThrow(TypeError)
  })
})

describe('what a run may reveal', () => {
  /** What moves in L1 when a record in one cell comes or goes, or is replaced by one in another. */
  const moves = (u: Universe, neighbours: Privacy['neighbours']): ((q: LinearQuery) => number)[] => {
    const cells = [...cellsOf(u)]
    if (neighbours === 'add-remove') return cells.map((t) => (q) => Math.abs(weightAt(q, u, t)))
    return cells.flatMap((s) =>
      cells.map((t) => (q: LinearQuery) => {
        const [v, w] = [weightAt(q, u, s), weightAt(q, u, t)]
        const code = (cell: number[], name: string) => cell[u.index.get(name)!]!
        const same = q.by.every((g) => groupOf(g, code(s, g.attribute)) === groupOf(g, code(t, g.attribute)))
        return same ? Math.abs(v - w) : Math.abs(v) + Math.abs(w)
      }),
    )
  }
  const cases = smallUniverse(3, [1, 2, 3]).chain((over) =>
    fc.record({
      over: fc.constant(over),
      asked: fc.array(queryOver(over, 'grouped'), { minLength: 1, maxLength: 4 }),
      neighbours: fc.constantFrom<Privacy['neighbours'][]>('add-remove', 'replace-one'),
      k: fc.integer({ min: 1, max: 2 }),
      thousandths: fc.integer({ min: 1, max: 200 }),
      steps: fc.array(fc.tuple(fc.nat(3), fc.nat(4), fc.boolean()), { maxLength: 12 }),
    }),
  )
  // 30,000 and then ever nearer to 0: 7524.9375, 1906.171875, …
  const coarse = even(30_000, 7475.0625, 5)

  test('never costs the worst neighbours more than its ε, in whatever order it goes down', async () => {
    let [taken, denied] = [0, 0]
    const check = fc.asyncProperty(cases, async ({ over, asked, neighbours, k, thousandths, steps }) => {
      const unit: Privacy['unit'] =
        k > 1 && neighbours === 'add-remove' ? { kind: 'column', column: 'person', rows: k } : { kind: 'row' }
      const { meter } = await metered({ over, rows: [], privacy: { ...promise, unit, neighbours } })
      const epsilon = rational(thousandths, 1000)
      const run = await meter
        .openRun({ queries: asked, grid: coarse, epsilon, ...nobody })
        .catch((error: ReticentError) => error.code)
      if (typeof run === 'string') {
        expect(run).toBe('scale-invalid')
        return
      }
      const rowsOfUnit = unit.kind === 'row' ? 1 : k
      const all = moves(over, neighbours)
      /** The worst neighbours' cost at some levels, exactly, and rounded up charge by charge. */
      const cost = (levels: readonly number[]) => {
        const parts = all.map((moved) =>
          asked.map((q, i) => divide(rational(rowsOfUnit * moved(q)), scaleAt(coarse, levels[i]!))),
        )
        const exact = parts.map((p) => p.reduce(add, zero)).reduce((a, b) => (compare(a, b) > 0 ? a : b))
        return { exact, units: Math.max(...parts.map((p) => p.reduce((sum, c) => sum + chargeUnits(c), 0))) }
      }
      const levels = () => asked.map((_, i) => run.level(i))
      for (const [at, level, first] of steps) {
        const query = at % asked.length
        if (run.allows(query, level)) {
          run.lower(query, level, first ? 'first-change' : undefined)
          taken++
        } else if (level >= run.level(query) && neighbours === 'add-remove') {
          // And never says no without need: in small universes the worst cell is exact.
          expect(cost(levels().with(query, level)).units).toBeGreaterThan(chargeUnits(epsilon))
          denied++
        }
        expect(compare(cost(levels()).exact, epsilon)).toBeLessThanOrEqual(0)
      }
    })
    await fc.assert(check, { numRuns: 150 })
    // Some 400 and 50 of them: none at all would mean that nothing was tested.
    expect(Math.min(taken, denied)).toBeGreaterThan(0)
  })
})

describe('the answers of a run have the discrete Laplace law of the scale they have reached', () => {
  // 20,000 empty cells: what is seen is the noise itself. One false alarm in 10^6 a check, three checks.
  const wide = universe([attribute({ kind: 'integer', name: 'cell', low: 1, high: 20_000, closed: true })])
  test.each([undefined, 'first-change' as const])('lowering %s', async (stop) => {
    const { meter } = await metered({ over: wide, rows: [] })
    const levels = even(60, 18.5, 4)
    const run = await meter.openRun({
      queries: [marginal(['cell'])],
      grid: levels,
      epsilon: rational(1, 2),
      ...nobody,
    })
    for (const level of [1, 3]) {
      while (run.level(0) < level) run.lower(0, level, stop)
      const values = run.values(0)
      expect(pValue(values, laplaceCdf(toNumber(scaleAt(levels, level))))).toBeGreaterThan(falseAlarm)
      expect(pValue(values, laplaceCdf(1.3 * toNumber(scaleAt(levels, level))))).toBeLessThan(falseAlarm)
    }
    const { measurements } = await run.close()
    const refined = await meter.refine({ parent: measurements[0]!.id, law: laplace(0.5), ...nobody })
    const values = refined.measurements[0]!.values
    expect(pValue(values, laplaceCdf(2))).toBeGreaterThan(falseAlarm)
    expect(pValue(values, laplaceCdf(4))).toBeLessThan(falseAlarm)
  })
})
