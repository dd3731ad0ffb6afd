import { describe, expect, test } from 'vitest'
import { CellByCellModel } from '../../../../test/support/cell-by-cell-model.ts'
import { cellsOf } from '../../../../test/support/queries.ts'
import { openCells, seededBits } from '../../../evaluation/index.ts'
import { one, type Rational, rational, zero } from '../../../numeric/index.ts'
import { answerSize, countAll, type LinearQuery, type Measurement, marginal, queryKey } from '../../../query/index.ts'
import { attribute, type Neighbours, type Universe, universe } from '../../../schema/index.ts'
import { unitsToNumber } from '../../../trusted/accounting/index.ts'
import type { Draw, Draws, DrawsRequest, Meter } from '../../meter.ts'
import type { SynthContext, SynthTerms } from '../method.ts'
import { cuboids } from '../workload/cuboids.ts'
import { parities } from '../workload/parities.ts'
import { factored } from './factored.ts'
import { mwem } from './mwem.ts'
import type { MwemRequest } from './request.ts'

const bit = (name: string) => attribute({ kind: 'integer', name, low: 0, high: 1, closed: true })
const bits = universe(['a', 'b', 'c', 'd'].map(bit))
/** a and b nearly always agree; c is rare; d is a coin. */
const counts = Float64Array.from([...cellsOf(bits)], ([a, b, c]) => (a === b ? 100 : 10) * (c ? 1 : 5))
const records = counts.reduce((sum, count) => sum + count, 0)
const { uniform } = seededBits(1)

const open = (options: { epsilon?: number; neighbours?: Neighbours; delta?: Rational } = {}) =>
  openCells(
    { universe: bits, counts },
    {
      epsilon: rational(options.epsilon ?? 10),
      neighbours: options.neighbours ?? 'add-remove',
      ...(options.delta && { delta: options.delta }),
    },
  )
const request = (more: Partial<MwemRequest> = {}): MwemRequest => ({
  budget: { epsilon: one },
  records: { kind: 'known', count: records },
  history: [],
  queries: parities(bits, 3),
  ...more,
})
const sharesOf = (steps: readonly { share: number }[]) => steps.reduce((sum, { share }) => sum + share, 0)

describe('what is spent', () => {
  test.each<[string, Partial<MwemRequest>]>([
    ['chosen rounds', {}],
    ['rounds without a start', { startShare: zero }],
    ['three rounds', { rounds: 3 }],
    ['a start and rounds', { rounds: 4, startShare: rational(1, 3) }],
    ['adaptive rounds', { rounds: 'adaptive' }],
    ['the number of records bought', { records: { kind: 'bought', share: rational(1, 10) }, rounds: 2 }],
    ['cuboids, the average', { queries: cuboids(bits, 2), rounds: 3, fitting: 'once', output: 'average' }],
  ])('%s: the whole budget to the last unit, and no more', async (_, more) => {
    const { book, context } = await open()
    const { steps, model } = await mwem.make(request(more), { ...context, random: uniform })
    expect(unitsToNumber(book.spent().epsilon)).toBe(1)
    expect(sharesOf(steps)).toBeCloseTo(1, 9)
    const table = model.marginal([0, 1, 2, 3])
    expect(table.every((cell) => cell > 0)).toBe(true)
    expect(table.reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(model.records, 6)
  })

  test('under δ in ρ, choices at ε²/8', async () => {
    const { book, context } = await open({ delta: rational(1, 10 ** 9) })
    const rho = rational(1, 50)
    const { steps } = await mwem.make(request({ budget: { rho }, rounds: 5 }), { ...context, random: uniform })
    expect(unitsToNumber(book.spent().rho)).toBeCloseTo(0.02, 9)
    expect(unitsToNumber(book.spent().rho)).toBeLessThanOrEqual(0.02)
    // Five rounds, half of each for the answer: variance 1/2ρ at ρ = 0.002.
    expect(steps[0]!.deviation![0]).toBeCloseTo(Math.sqrt(1 / (2 * 0.002)), 6)
  })

  test('the plan says what is then done', async () => {
    const { context } = await open()
    for (const more of [{}, { rounds: 3 }, { rounds: 4, startShare: zero }]) {
      const planned = mwem.plan(request(more), context).steps
      const { steps } = await mwem.make(request(more), { ...context, random: uniform })
      expect(planned.map(({ share, deviation }) => ({ share, deviation }))).toEqual(
        steps.map(({ share, deviation }) => ({ share, deviation })),
      )
    }
  })
})

/** All that a run was asked and told: public, all of it. */
interface Told {
  readonly selections: { readonly model: readonly number[]; readonly candidates: readonly number[] }[]
  readonly draws: { readonly query: LinearQuery; readonly values: readonly number[] }[]
}
function overheard(meter: Meter): { meter: Meter; told: Told } {
  const told: Told = { selections: [], draws: [] }
  const openDraws = async (asked: DrawsRequest): Promise<Draws> => {
    const real = await meter.openDraws(asked)
    const answers: number[][] = []
    return {
      tell(model) {
        const places = Array.from<number>(model.queries!)
        let from = 0
        for (const place of places) {
          const cells = answerSize(asked.queries.at(place)!, bits)
          answers[place] = Array.from(model.answers).slice(from, from + cells)
          from += cells
        }
        real.tell(model)
      },
      allows: (draws) => real.allows(draws),
      score: (score) => real.score(score),
      close: () => real.close(),
      select(selection) {
        const candidates = Array.from<number>(selection.candidates!)
        told.selections.push({ model: candidates.flatMap((place) => answers[place]!), candidates })
        return real.select(selection)
      },
      draw(draw: Draw) {
        const values = real.draw(draw)
        told.draws.push({ query: asked.queries.at(draw.query)!, values: Array.from(values as Float64Array) })
        return values
      },
    }
  }
  return { meter: { ...meter, openDraws }, told }
}
async function listenedTo(context: Omit<SynthContext, 'random'>, more: Partial<MwemRequest>) {
  const { meter, told } = overheard(context.meter)
  return { told, ...(await mwem.make(request(more), { ...context, meter, random: uniform })) }
}

test('given the same noise, it is the cell-by-cell form of the paper', async () => {
  for (const queries of [parities(bits, 3), cuboids(bits, 2)]) {
    const { context } = await open()
    const { told, model } = await listenedTo(context, { queries, rounds: 5, fitting: 'once' })
    const slow = new CellByCellModel(bits, records)
    for (const [round, { query, values }] of told.draws.entries()) {
      const { model: shown, candidates } = told.selections[round]!
      const answers = candidates.flatMap((place) => [...slow.answers(queries.at(place)!)])
      // Rounded to whole steps, and what rounds the other way is as near to a half as doubles are.
      for (const [i, value] of shown.entries()) expect(Math.abs(value - answers[i]!)).toBeLessThan(0.5 + 1e-6)
      const soFar = told.draws.slice(0, round + 1).map((draw) => ({ ...draw, variance: 1 }))
      expect(soFar.at(-1)!.query).toBe(query)
      expect(soFar.at(-1)!.values).toBe(values)
      slow.fit(soFar)
    }
    for (const [i, value] of model.marginal([0, 1, 2, 3]).entries()) expect(value).toBeCloseTo(slow.weights[i]!, 6)
  }
})

test('counts of all cells tell the number of records, too', async () => {
  const { context } = await open()
  const bought = { kind: 'bought', share: rational(1, 100) } as const
  const { model } = await mwem.make(request({ records: bought, startShare: one }), { ...context, random: uniform })
  // By itself the number would have noise of standard deviation 140; sixteen counts have 6 together. Laplace noise of
  // scale 1: their sum is beyond 60 about once in 10^13 runs.
  expect(Math.abs(model.records - records)).toBeLessThan(60)
})

test('a plan for a number of records that is yet to be bought goes by what is said about it', async () => {
  const { context } = await open()
  const plan = (about: object) =>
    mwem.plan(request({ records: { kind: 'bought', share: rational(1, 100), ...about }, startShare: zero }), context)
  expect(plan({}).steps.map(({ name }) => name)[1]).toContain('depending on the number of records')
  expect(plan({ about: records }).steps.length).toBeGreaterThan(2)
  expect(plan({ about: records }).steps[1]!.name).toBe('round 1')
})

describe('what is known', () => {
  const exactly = (query: LinearQuery, values: readonly number[]): Measurement => ({
    id: '1.1',
    query,
    law: { kind: 'laplace', scale: rational(1, 100) },
    values: Float64Array.from(values),
  })
  /** The marginal over a and b tells their three parities. */
  const pair = [counts.slice(0, 4), counts.slice(4, 8), counts.slice(8, 12), counts.slice(12, 16)].map((cells) =>
    cells.reduce((sum, count) => sum + count, 0),
  )
  const history = [exactly(countAll, [records]), exactly(marginal(['a', 'b']), pair)]

  test('is not bought, and enters the first fit for nothing', async () => {
    const { context } = await open()
    const queries = parities(bits, 2)
    const { told, model } = await listenedTo(context, { queries, history, rounds: 5 })
    const withinPair = queries.filter((q) => Object.keys(q.terms[0]!.factors).every((name) => 'ab'.includes(name)))
    expect(withinPair).toHaveLength(3)
    for (const { candidates } of told.selections)
      for (const query of withinPair) expect(candidates.map((place) => queries[place]!)).not.toContain(query)
    for (const [i, value] of model.marginal([0, 1]).entries()) expect(Math.abs(value - pair[i]!)).toBeLessThan(2)
  })

  test('a query is measured again only at a higher price: rounds with nothing to ask are put together', async () => {
    const { context, book } = await open()
    const queries = parities(bits, 1)
    const { told, steps } = await listenedTo(context, { queries, rounds: 8 })
    expect(new Set(told.draws.slice(0, 4).map(({ query }) => queryKey(query))).size).toBe(4)
    expect(steps.map(({ share }) => share)).toEqual([1, 1, 1, 1, 2, 2].map((rounds) => rounds / 8))
    expect(unitsToNumber(book.spent().epsilon)).toBe(1)
  })

  test('what is known exactly is never bought, and costs nothing', async () => {
    const { context, book } = await open()
    const all: Measurement = { id: '1.1', query: marginal(['a', 'b', 'c', 'd']), law: { kind: 'none' }, values: counts }
    const { model, steps } = await listenedTo(context, { history: [all], rounds: 3 })
    expect(steps).toEqual([])
    expect(unitsToNumber(book.spent().epsilon)).toBe(0)
    for (const [i, value] of model.marginal([0, 1, 2, 3]).entries())
      expect(Math.abs(value - counts[i]!)).toBeLessThan(1)
  })
})

test('what no record can move is left out of a workload', async () => {
  const { context, book } = await open({ neighbours: 'replace-one' })
  const everybody: LinearQuery = {
    ...countAll,
    terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to: 1 } } }],
  }
  const queries = [countAll, everybody, ...parities(bits, 1)]
  const { told } = await listenedTo(context, { queries, rounds: 3 })
  expect(told.selections[0]!.candidates).toHaveLength(4)
  expect(unitsToNumber(book.spent().epsilon)).toBe(1)
})

describe('refused before anything is spent', () => {
  test.each<[string, Partial<MwemRequest>, string]>([
    ['an empty workload', { queries: [] }, 'no query'],
    ['the number of records alone', { queries: [countAll] }, 'no query'],
    ['no rounds', { rounds: 0 }, 'above 0'],
    ['half a round', { rounds: 1.5 }, 'above 0'],
    ['a start beyond the budget', { startShare: rational(2) }, 'from 0 to 1'],
    ['a budget below one round', { budget: { epsilon: rational(1, 10_000) } }, 'too small for one round'],
    ['a budget that cannot be divided', { budget: { epsilon: rational(1, 10n ** 12n) }, rounds: 3 }, 'too small'],
  ])('%s', async (_, more, message) => {
    const { context, book } = await open()
    await expect(mwem.make(request(more), { ...context, random: uniform })).rejects.toThrow(message)
    expect(() => mwem.plan(request(more), context)).toThrow(message)
    expect(unitsToNumber(book.spent().epsilon)).toBe(0)
  })

  test('it says what is enough, and that is', async () => {
    const { context } = await open()
    const small = request({ budget: { epsilon: rational(1, 10_000) } })
    const error = await mwem.make(small, { ...context, random: uniform }).catch((e) => e)
    const plan = (epsilon: number) =>
      mwem.plan(request({ budget: { epsilon: rational(Math.round(epsilon * 1e9), 10 ** 9) } }), context)
    expect(error.hint).toContain(error.facts.enough.toPrecision(2))
    expect(() => plan(error.facts.enough * 1.01)).not.toThrow()
    expect(() => plan(error.facts.enough * 0.99)).toThrow('too small')
  })

  test('a table that no dense model can hold, and a query that is too wide', () => {
    const wide = universe(Array.from({ length: 30 }, (_, i) => bit(`x${i}`)))
    const terms = (over: Universe): SynthTerms => ({
      universe: over,
      unitNoise: () => one,
      distanceSensitivity: () => 1n,
    })
    const counted = request({ queries: cuboids(wide, 1), startShare: rational(1, 2) })
    expect(() => mwem.plan(counted, terms(wide))).toThrow('at most 50000000')
    expect(() => mwem.plan({ ...counted, startShare: zero }, terms(wide))).not.toThrow()
    const half = universe(wide.attributes.slice(0, 25))
    const all = marginal(half.attributes.map(({ name }) => name))
    expect(() => mwem.plan(request({ queries: [all] }), terms(half))).toThrow('no room')
    // 27,405 marginals of 10^4 cells.
    const digit = (name: string) => attribute({ kind: 'integer', name, low: 0, high: 9, closed: true })
    const long = universe(Array.from({ length: 30 }, (_, i) => digit(`x${i}`)))
    expect(() => mwem.plan(request({ queries: cuboids(long, 4) }), terms(long))).toThrow('answers together')
  })
})

test('rounds can be stopped: what was shown is recorded', async () => {
  const { context, book } = await open()
  const stop = new AbortController()
  const progress = ({ doing }: { doing: string }) => {
    if (doing.startsWith('round 2 of 6: ')) stop.abort()
  }
  const made = mwem.make(request({ rounds: 6 }), { ...context, random: uniform, progress, signal: stop.signal })
  await expect(made).rejects.toMatchObject({ code: 'interrupted' })
  expect(unitsToNumber(book.spent().epsilon)).toBeCloseTo(2 / 6, 9)
  expect(book.releases.flatMap(({ measurements }) => measurements)).toHaveLength(2)
})

test('a long history is taken up piece by piece, and can be stopped between them', async () => {
  const { book, context } = await open()
  const history: Measurement[] = Array.from({ length: 60 }, (_, i) => ({
    id: `1.${i}`,
    query: marginal([['a', 'b'], ['b', 'c'], ['d']][i % 3]!),
    law: { kind: 'laplace', scale: rational(50) },
    values: new Float64Array([4, 4, 2][i % 3]!).fill(records / [4, 4, 2][i % 3]!),
  }))
  const stop = new AbortController()
  const seen: string[] = []
  const progress = ({ doing }: { doing: string }) => {
    seen.push(doing)
    if (seen.length === 3) stop.abort()
  }
  const made = factored.make(request({ history, rounds: 2 }), {
    ...context,
    random: uniform,
    progress,
    signal: stop.signal,
  })
  await expect(made).rejects.toMatchObject({ code: 'interrupted' })
  expect(seen).toEqual([1, 9, 17].map((from) => `what the history tells: ${from} of 60`))
  expect(book.spent().epsilon).toBe(0)
})
