import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { falseAlarm, laplaceCdf, pValue } from '../../../test/statistical/goodness.ts'
import { ages, laplace, metered, promise } from '../../../test/support/metered.ts'
import { cellsOf, queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { add, compare, divide, fromNumber, type Rational, rational, zero } from '../../numeric/index.ts'
import { countAll, marginal, weightAt } from '../../query/index.ts'
import { attribute, type Privacy, ReticentError, universe } from '../../schema/index.ts'
import { type Charge, chargeUnits } from '../accounting/index.ts'
import { Book } from '../ledger/index.ts'

const refused = (code: string) => expect.objectContaining({ code })
const nobody = { analyst: null, statement: null }
/** Two halves of the people, whose costs do not add up, and everybody. */
const queries = [ages(0, 4), ages(5, 9), countAll]
async function opened(epsilon = 0.3, options: Parameters<typeof metered>[0] = {}) {
  const made = await metered(options)
  const draws = await made.meter.openDraws({ queries, epsilon: fromNumber(epsilon), ...nobody })
  return { ...made, draws }
}
const of = (query: number, scale: number) => ({ query, scale: fromNumber(scale) })

describe('draws', () => {
  test('are reserved before the data are asked, once, and recorded when they close', async () => {
    const { draws, log, book } = await opened()
    expect(log).toEqual(['run-open', 'answer'])
    await book.follow()
    expect(book.spent().epsilon).toBe(3e11)
    const drawn = [of(0, 20), of(0, 10), of(2, 50)].map((draw) => draws.draw(draw))
    const { measurements, head } = await draws.close()
    expect(log).toEqual(['run-open', 'answer', 'run-close'])
    expect(measurements.map(({ id, law, query }) => [id, law, query])).toEqual([
      ['2.0', { kind: 'laplace', scale: rational(20) }, queries[0]],
      ['2.1', { kind: 'laplace', scale: rational(10) }, queries[0]],
      ['2.2', { kind: 'laplace', scale: rational(50) }, queries[2]],
    ])
    expect(measurements.map(({ values }) => values)).toEqual(drawn)
    expect(head).toEqual(book.head)
    // 1/20 + 1/10 for the young, and 1/50 for everybody.
    expect(book.spent().epsilon).toBe(1.7e11)
  })
  test('are counted by the worst cell, and not beyond what was reserved', async () => {
    const { draws, book } = await opened(0.11)
    expect(draws.allows([of(0, 10), of(1, 10), of(2, 100)])).toBe(true)
    expect(draws.allows([of(0, 10), of(1, 10), of(2, 99)])).toBe(false)
    draws.draw(of(0, 10))
    expect(() => draws.draw(of(0, 90))).toThrow(refused('budget-exceeded'))
    draws.draw(of(1, 10))
    draws.draw(of(2, 100))
    expect(draws.allows([])).toBe(true)
    expect(draws.allows([of(2, 1e9)])).toBe(false)
    await draws.close()
    expect(book.spent().epsilon).toBe(1.1e11)
  })
  test('cost in ρ what any answers do, once they are closed', async () => {
    const privacy = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' } as const
    const { draws, book } = await opened(0.2, { privacy })
    await book.follow()
    expect(book.spent()).toEqual({ epsilon: 2e11, rho: 2e10 })
    draws.draw(of(2, 10))
    draws.draw(of(2, 10))
    await draws.close()
    expect(book.spent()).toEqual({ epsilon: 2e11, rho: 1e10 })
  })
  test('that are not closed stay spent, and nothing of them enters the history', async () => {
    const { draws, ledger } = await opened()
    draws.draw(of(0, 20))
    const book = await Book.open(ledger)
    expect(book.spent().epsilon).toBe(3e11)
    expect(book.releases).toMatchObject([{ kind: 'run-open', state: 'open', measurements: [] }])
  })
  test('may close on nothing, and then cost nothing', async () => {
    const { draws, book } = await opened()
    expect((await draws.close()).measurements).toEqual([])
    expect(book.spent().epsilon).toBe(0)
    expect(() => draws.draw(of(0, 20))).toThrow(RangeError)
    await expect(draws.close()).rejects.toThrow(RangeError)
  })
  test('of what is not there, or without noise, are refused', async () => {
    const { draws } = await opened()
    for (const draw of [of(3, 10), of(-1, 10), of(0.5, 10), of(0, 0), of(0, -10)]) {
      expect(draws.allows([draw])).toBe(false)
      expect(() => draws.draw(draw)).toThrow(RangeError)
    }
    await draws.close()
  })
  test('are what was charged for, whatever becomes of the caller’s', async () => {
    const { draws } = await opened()
    const mine = { query: 0, scale: { num: 20n, den: 1n } }
    const shown = draws.draw(mine) as Float64Array
    const kept = shown.slice()
    mine.scale.num = 1n
    shown.fill(7.5)
    const { measurements } = await draws.close()
    expect(measurements[0]!.law).toEqual({ kind: 'laplace', scale: rational(20) })
    expect(measurements[0]!.values).toEqual(kept)
  })
  test('come from an analyst’s quota too', async () => {
    const { meter, book } = await metered()
    const analyst = { name: 'alice', cap: { epsilon: 2e11, rho: null } }
    const start = (epsilon: Rational) => meter.openDraws({ queries, epsilon, analyst, statement: null })
    await expect(start(rational(3, 10))).rejects.toThrow(refused('budget-exceeded'))
    await start(rational(2, 10))
    await book.follow()
    expect(book.spent('alice').epsilon).toBe(2e11)
  })
})

test('before anything is charged, what is over the cap, about nothing, or unknown is refused', async () => {
  const { meter, log } = await metered()
  const start = (asked: typeof queries, epsilon: Rational) => meter.openDraws({ queries: asked, epsilon, ...nobody })
  await expect(start(queries, rational(11, 10))).rejects.toThrow(refused('budget-exceeded'))
  await expect(start([marginal(['shoe size'])], rational(1, 10))).rejects.toThrow(refused('unknown-name'))
  await expect(start([], rational(1, 10))).rejects.toThrow(refused('query-invalid'))
  for (const none of [zero, rational(-1)]) await expect(start(queries, none)).rejects.toThrow(refused('scale-invalid'))
  expect(log).toEqual([])
})

test('a guard that refuses the sharpest answers is asked before each', async () => {
  const seen: [number, number | undefined][] = []
  const approve = (charges: readonly Charge[], run?: number) => {
    seen.push([charges.length, run])
    if (charges.length > 2) throw new ReticentError('guarded', {}, { message: 'no' })
  }
  const { draws } = await opened(0.3, { approve })
  draws.draw(of(0, 100))
  draws.draw(of(1, 100))
  expect(() => draws.draw(of(2, 100))).toThrow(refused('guarded'))
  const { seq } = draws.head
  // All three at their sharpest, nothing yet, then what there would be.
  expect(seen).toEqual([
    [3, undefined],
    [0, undefined],
    [1, seq],
    [2, seq],
    [3, seq],
  ])
  expect((await draws.close()).measurements).toHaveLength(2)
})

test('never cost a record more than their ε, in whatever order', async () => {
  let [taken, denied] = [0, 0]
  const cases = smallUniverse(3, [1, 2, 3]).chain((over) =>
    fc.record({
      over: fc.constant(over),
      asked: fc.array(queryOver(over, 'grouped'), { minLength: 1, maxLength: 3 }),
      k: fc.integer({ min: 1, max: 2 }),
      thousandths: fc.integer({ min: 1, max: 200 }),
      steps: fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 50, max: 20_000 })), { maxLength: 12 }),
    }),
  )
  const check = fc.asyncProperty(cases, async ({ over, asked, k, thousandths, steps }) => {
    const unit: Privacy['unit'] = k > 1 ? { kind: 'column', column: 'person', rows: k } : { kind: 'row' }
    const { meter } = await metered({ over, rows: [], privacy: { ...promise, unit } })
    const epsilon = rational(thousandths, 1000)
    const draws = await meter.openDraws({ queries: asked, epsilon, ...nobody })
    const paid = [...cellsOf(over)].map((cell) => ({ cell, exact: zero, units: 0 }))
    for (const [at, scale] of steps) {
      const query = asked[at % asked.length]!
      const draw = { query: at % asked.length, scale: rational(scale, 7) }
      const after = paid.map(({ cell, exact, units }) => {
        const cost = divide(rational(k * Math.abs(weightAt(query, over, cell))), draw.scale)
        return { cell, exact: add(exact, cost), units: units + chargeUnits(cost) }
      })
      if (draws.allows([draw])) {
        draws.draw(draw)
        paid.splice(0, paid.length, ...after)
        taken++
      } else {
        // And never says no without need: in small universes the worst cell is exact.
        expect(Math.max(...after.map(({ units }) => units))).toBeGreaterThan(chargeUnits(epsilon))
        denied++
      }
      for (const { exact } of paid) expect(compare(exact, epsilon)).toBeLessThanOrEqual(0)
    }
  })
  await fc.assert(check, { numRuns: 100 })
  expect(Math.min(taken, denied)).toBeGreaterThan(0)
})

// 20,000 empty cells: what is seen is the noise itself. One false alarm in 10^6 a check, four checks.
test('have the discrete Laplace law of their scale, each by itself', async () => {
  const wide = universe([attribute({ kind: 'integer', name: 'cell', low: 1, high: 20_000, closed: true })])
  const { meter } = await metered({ over: wide, rows: [] })
  const draws = await meter.openDraws({ queries: [marginal(['cell'])], epsilon: rational(1, 2), ...nobody })
  const [first, second] = [draws.draw(of(0, 12)), draws.draw(of(0, 6))] as [Float64Array, Float64Array]
  for (const [values, scale] of [
    [first, 12],
    [second, 6],
  ] as const) {
    expect(pValue(values, laplaceCdf(scale))).toBeGreaterThan(falseAlarm)
    expect(pValue(values, laplaceCdf(1.3 * scale))).toBeLessThan(falseAlarm)
  }
  // Independent: products of both noises have mean 0 and variance 4·12²·6²; 4.89 sd.
  const product = first.reduce((sum, value, i) => sum + value * second[i]!, 0) / first.length
  expect(Math.abs(product)).toBeLessThan((4.89 * 2 * 12 * 6) / Math.sqrt(first.length))
})

test('a run that was planned by an older ledger is not opened', async () => {
  const { meter, book, buy, log } = await metered()
  const plannedAt = book.head
  await buy(countAll, laplace(0.1))
  const request = { queries: [countAll], epsilon: rational(1, 10), ...nobody }
  const grid = { first: rational(100), step: rational(1), count: 3 }
  log.length = 0
  for (const open of [
    () => meter.openDraws({ ...request, plannedAt }),
    () => meter.openRun({ ...request, grid, plannedAt }),
  ])
    await expect(open()).rejects.toMatchObject({ code: 'ledger-moved' })
  expect(log).toEqual([])
  await meter.openDraws({ ...request, plannedAt: book.head })
  expect(log).toEqual(['run-open', 'answer'])
})
