import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SteppedMeter } from '../../../../test/support/stepped-meter.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { compare, fromNumber, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { type Grid, type LinearQuery, marginal, scaleAt } from '../../../query/index.ts'
import type { Run } from '../../meter.ts'
import { expectedUrgency } from './expected-urgency.ts'
import { type Judge, urgencyAsPrinted, type Verdict } from './judge.ts'
import { OverallError } from './overall-error.ts'
import { reduce } from './reduce.ts'

interface Case {
  readonly tables: readonly (readonly number[])[]
  /** Of each table: what a step of scale costs, times the scale. */
  readonly units: readonly number[]
  readonly floor: number
  readonly grid: Grid
  readonly epsilon: Rational
  readonly seed: number
}

/** Tables of all kinds, from a few large counts to many small ones, and an ε between too little to move and plenty. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    tables: fc.array(
      fc.oneof(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 50, max: 5000 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(0, 1, 10_000), { minLength: 1, maxLength: 12 }),
      ),
      { minLength: 1, maxLength: 6 },
    ),
    unit: fc.array(fc.constantFrom(1, 2, 2, 3.5), { minLength: 6, maxLength: 6 }),
    floor: fc.constantFrom(0.5, 1, 5, 40),
    levels: fc.integer({ min: 1, max: 150 }),
    step: fc.constantFrom('1', '1/3', '5/2', '7'),
    lowest: fc.constantFrom('1/3', '1', '4'),
    room: fc.double({ min: 0.001, max: 1.2, noNaN: true }),
    seed: fc.nat(),
  })
  .map(({ tables, unit, floor, levels, step, lowest, room, seed }) => {
    const units = unit.slice(0, tables.length)
    const [by, last] = [step, lowest].map((text) => {
      const [num, den = '1'] = text.split('/')
      return rational(BigInt(num!), BigInt(den))
    }) as [Rational, Rational]
    const first = scaleAt({ first: last, step: { ...by, num: -by.num }, count: levels }, levels - 1)
    const grid = { first, step: by, count: levels }
    const cost = (scale: Rational) => units.reduce((sum, u) => sum + u / toNumber(scale), 0)
    const epsilon = fromNumber(Number((cost(first) + room * (cost(last) - cost(first)) + 1e-9).toPrecision(12)))
    return { tables, units, floor, grid, epsilon, seed }
  })

const queryOf = (table: number): LinearQuery => marginal([String(table)])
const tableOf = (query: LinearQuery): number => Number(query.by[0]!.attribute)

function metered({ tables, units, seed }: Case): SteppedMeter {
  const unitScale = (query: LinearQuery) => fromNumber(units[tableOf(query)]!)
  return new SteppedMeter((query) => tables[tableOf(query)]!, unitScale, seededBits(seed))
}
const opened = (c: Case): Promise<Run> =>
  metered(c).openRun({ queries: c.tables.map((_, i) => queryOf(i)), grid: c.grid, epsilon: c.epsilon })

/** The loop of Figure 4 as it stands there: everything is reckoned anew from the answers before every step. */
function stepByStep(run: Run, { tables, grid }: Case, urgency: Urgency): void {
  const working = new Set(tables.keys())
  while (working.size > 0) {
    let [best, most] = [-1, 0]
    for (const query of working) {
      const scales = Array.from({ length: run.level(query) + 2 }, (_, level) => scaleNear(grid, level))
      const own = urgency(query, [...run.values(query)].map(Number), scales)
      if (best < 0 || own > most) [best, most] = [query, own]
    }
    if (run.allows(best, run.level(best) + 1)) run.lower(best, run.level(best) + 1)
    else working.delete(best)
  }
}
const scaleNear = ({ first, step }: Grid, level: number) => toNumber(first) - level * toNumber(step)
/** Given all scales that a query had, the one it has, and the next. */
type Urgency = (query: number, answers: number[], scales: number[]) => number

interface Kind {
  readonly name: string
  readonly picker: (c: Case) => OverallError
  readonly urgency: (c: Case) => Urgency
}
/** Every answer is weighed anew, by what the judge said when it was last to look. */
function overallError(judge: Judge): Omit<Kind, 'name'> {
  return {
    picker: ({ tables, units, floor }) =>
      new OverallError(
        tables.map((table, i) => ({ cells: table.length, floor, unitScale: units[i]! })),
        judge,
      ),
    urgency: ({ tables, units, floor }) => {
      const unseen: Verdict = { until: Number.POSITIVE_INFINITY, total: 0, weigh: () => 0 }
      const looked = tables.map(() => ({ ...unseen, unit: 0 }))
      return (query, answers, scales) => {
        const [scale, next] = [scales.at(-2)!, scales.at(-1)!]
        if (scale <= looked[query]!.until) {
          // The sum in the units that the picker's is in, so that not even rounding tells them apart.
          const unit = judge.most(scale, floor) / 2 ** Math.floor(52 - Math.log2(answers.length))
          looked[query] = { ...judge.look(Float64Array.from(answers), { scale, floor, unit }), unit }
        }
        const { weigh, unit } = looked[query]!
        const sum = answers.reduce((total, answer) => total + weigh(answer), 0)
        return sum * (scale * next * (unit / (answers.length * units[query]!)))
      }
    },
  }
}
const kinds: Kind[] = [
  { name: 'overall error, counts at face value', ...overallError(urgencyAsPrinted) },
  { name: 'overall error to expect', ...overallError(expectedUrgency) },
]

describe.each(kinds)('with the picker for the least $name', ({ picker, urgency }) => {
  test('comes to rest exactly where going step by step does', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (c) => {
        const [fast, slow] = [await opened(c), await opened(c)]
        stepByStep(slow, c, urgency(c))
        const given = { grid: c.grid, picker: picker(c), epsilon: toNumber(c.epsilon), unitScales: c.units }
        await reduce({ run: fast, ...given, pricesAddUp: c.seed % 2 === 0 })
        for (const query of c.tables.keys()) {
          expect(fast.level(query)).toBe(slow.level(query))
          expect(fast.values(query)).toEqual(slow.values(query))
        }
      }),
      { numRuns: 150 },
    )
  })

  test('uses ε up: no query could go a step further, and all together cost no more', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (c) => {
        const meter = metered(c)
        const run = await meter.openRun({
          queries: c.tables.map((_, i) => queryOf(i)),
          grid: c.grid,
          epsilon: c.epsilon,
        })
        await reduce({ run, grid: c.grid, picker: picker(c), epsilon: toNumber(c.epsilon), unitScales: c.units })
        for (const query of c.tables.keys()) expect(run.allows(query, run.level(query) + 1)).toBe(false)
        await run.close()
        expect(compare(meter.cost(), c.epsilon)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 50 },
    )
  })
})

test('most of the way is a dive: a run is asked for fewer than half of the levels that it passes', async () => {
  const tables = [Array.from({ length: 20 }, () => 0), [3000, 5000], [40, 1, 900]]
  const grid = { first: rational(5000), step: rational(1), count: 5000 }
  const c = { tables, units: [2, 2, 2], floor: 5, grid, epsilon: rational(1, 5), seed: 7 }
  const run = await opened(c)
  let asked = 0
  const counted = {
    ...run,
    lower: (...given: Parameters<Run['lower']>) => {
      asked++
      return run.lower(...given)
    },
  }
  const picker = kinds[1]!.picker(c)
  await reduce({ run: counted, grid, picker, epsilon: 0.2, unitScales: c.units })
  const passed = tables.reduce((sum, _, query) => sum + run.level(query), 0)
  expect(passed).toBeGreaterThan(10_000)
  expect(asked).toBeLessThan(passed / 2)
})

test('comes to an end also where urgencies are so small that their products underflow', async () => {
  const grid = { first: rational(50), step: rational(1), count: 50 }
  const c = { tables: [[3, 5], [40]], units: [2, 2], floor: 1e300, grid, epsilon: rational(1), seed: 5 }
  const run = await opened(c)
  await reduce({ run, grid, picker: kinds[0]!.picker(c), epsilon: 1, unitScales: c.units })
  for (const query of c.tables.keys()) expect(run.allows(query, run.level(query) + 1)).toBe(false)
})

test('without noise to speak of, scales come to Oracle’s: λ ∝ √(u |M| / Σ 1/max{δ, y})', async () => {
  const tables = [[1e8, 1e8], [1e10], [1e9, 1e9, 1e9, 1e9]]
  const units = [1, 2, 3.5]
  const grid = { first: rational(2000), step: rational(1, 2), count: 3999 }
  const c = { tables, units, floor: 5, grid, epsilon: rational(1, 10), seed: 3 }
  const run = await opened(c)
  await reduce({ run, grid, picker: kinds[1]!.picker(c), epsilon: 0.1, unitScales: units })
  const scales = tables.map((_, query) => toNumber(scaleAt(grid, run.level(query))))
  const wanted = tables.map((table, j) => Math.sqrt(units[j]! * table[0]!))
  const factor = units.reduce((sum, u, j) => sum + u / wanted[j]!, 0) / 0.1
  // λ(λ - λΔ) instead of λ², and whole steps: within two steps; and what no longer pays for a step of one is spent on
  // the others, at their prices.
  const left = Math.max(...scales.map((scale, j) => (units[j]! * 0.5) / scale ** 2))
  scales.forEach((scale, j) => {
    expect(Math.abs(scale - factor * wanted[j]!)).toBeLessThan(1 + (left * scale ** 2) / units[j]!)
    expect(scale / factor / wanted[j]!).toBeCloseTo(1, 1)
  })
})
