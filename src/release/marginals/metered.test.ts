import { describe, expect, test } from 'vitest'
import { metered, people, promise } from '../../../test/support/metered.ts'
import { laplaceVariance, one, rational, toNumber } from '../../numeric/index.ts'
import { marginal } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { isAnswer, scaleFor } from '../../trusted/accounting/index.ts'
import type { Approve } from '../../trusted/meter/index.ts'
import type { DrawsRequest, RunRequest } from '../meter.ts'
import { measureMarginals } from './measure.ts'
import type { MarginalsRequest, MethodName } from './methods/index.ts'
import type { MarginalsContext } from './request.ts'

const request: MarginalsRequest = {
  marginals: [['age'], ['member'], ['age', 'member']],
  method: 'laplace',
  epsilon: rational(3, 10),
  floor: { kind: 'count', count: 5 },
  records: { kind: 'known', count: 500 },
  stepShare: rational(1, 10_000),
}

/** The shipped meter over 500 people, fifty of every age, half of them members. */
async function setting(neighbours: 'add-remove' | 'replace-one', approve?: Approve) {
  const privacy = { ...promise, neighbours }
  const { meter, book, log } = await metered({ privacy, ...(approve && { approve }) })
  const buyer = { analyst: null, statement: null }
  const context: MarginalsContext = {
    universe: people,
    unitScale: (query) => scaleFor(query, one, { universe: people, privacy }),
    meter: {
      measure: (charges) => meter.measure({ ...buyer, charges }),
      openRun: (run) => meter.openRun({ ...buyer, ...run }),
      openDraws: (draws) => meter.openDraws({ ...buyer, ...draws }),
    },
  }
  return { context, book, log }
}

/** The meter; when it has shown so many answers (or a run has gone so many times 256 steps) somebody sends a signal. */
function stopping(
  meter: MarginalsContext['meter'],
  stopped: AbortController,
  after: number,
): MarginalsContext['meter'] {
  let shown = 0
  // As a real one, it arrives when the release lets the process have a turn.
  const counted =
    <Args extends unknown[], T>(show: (...args: Args) => T, every: number) =>
    (...args: Args): T => {
      if (++shown === after * every) setImmediate(() => stopped.abort())
      return show(...args)
    }
  return {
    ...meter,
    openRun: async (asked) => {
      const run = await meter.openRun(asked)
      return Object.assign(run, { lower: counted(run.lower.bind(run), 256) })
    },
    openDraws: async (asked) => {
      const draws = await meter.openDraws(asked)
      return Object.assign(draws, { draw: counted(draws.draw.bind(draws), 1) })
    },
  }
}

const rows: { readonly [M in MethodName]: readonly string[] } = {
  laplace: ['reserve', 'answer', 'record'],
  'two-phase': ['run-open', 'answer', 'run-close'],
  ireduct: ['run-open', 'answer', 'run-close'],
  iresamp: ['run-open', 'answer', 'run-close'],
}

describe.each(['add-remove', 'replace-one'] as const)('through the shipped meter, with %s neighbours', (neighbours) => {
  test.each(Object.keys(rows) as MethodName[])('%s reads the data once and spends no more than ε', async (method) => {
    const { context, book, log } = await setting(neighbours)
    const { marginals, receipts } = await measureMarginals({ ...request, method }, context)
    expect(log).toEqual(rows[method])
    // 3·10^11 units, to within those that equal scales leave. Halving leaves up to half, λΔ up to a step of the grid.
    expect(book.spent().epsilon).toBeLessThanOrEqual(3e11)
    const left = { laplace: 3, 'two-phase': 0, ireduct: 2e9, iresamp: 1.5e11 }[method]
    expect(book.spent().epsilon).toBeGreaterThanOrEqual(3e11 - left)
    const history = book.releases.flatMap((release) => release.measurements)
    expect(history).toHaveLength(receipts.reduce((sum, { measurements }) => sum + measurements.length, 0))
    for (const { query, values, variance } of marginals) {
      // Fifty of every age, 250 of either kind, 50 or none of both together; noise beyond 40 standard deviations:
      // 10^-20.
      const middle = query.by.length === 2 ? 25 : 125
      for (const value of values) expect(Math.abs(value - middle)).toBeLessThan(125 + 40 * Math.sqrt(variance))
    }
  })

  test('the history holds every independent answer, and the released values are made of nothing else', async () => {
    for (const method of ['two-phase', 'iresamp'] as const) {
      const { context, book } = await setting(neighbours)
      const { marginals } = await measureMarginals({ ...request, method }, context)
      const history = book.releases.flatMap((release) => release.measurements)
      for (const { attributes, values } of marginals) {
        const name = JSON.stringify(marginal(attributes).by)
        const own = history.filter(({ query }) => JSON.stringify(query.by) === name)
        const weights = own.map(({ law }) => (law.kind === 'laplace' ? 1 / laplaceVariance(toNumber(law.scale)) : 0))
        const total = weights.reduce((a, b) => a + b)
        values.forEach((value, i) => {
          const combined = own.reduce((sum, m, k) => sum + (weights[k]! / total) * Number(m.values[i]), 0)
          expect(value).toBeCloseTo(combined, 6)
        })
      }
    }
  })

  test('where a guard says no, a marginal keeps the noise it has and the others go on', async () => {
    const least = neighbours === 'add-remove' ? 20 : 40
    const approve: Approve = (charges) => {
      for (const { query, law } of charges.filter(isAnswer))
        if (query.by.length === 2 && law.kind === 'laplace' && toNumber(law.scale) < least)
          throw new ReticentError('guarded', {}, { message: 'no' })
    }
    for (const method of ['two-phase', 'ireduct', 'iresamp'] as const) {
      const { context, book } = await setting(neighbours, approve)
      const { marginals } = await measureMarginals({ ...request, method }, context)
      const [age, member, both] = marginals.map(({ scale }) => scale)
      expect(both).toBeGreaterThanOrEqual(least)
      expect(marginals.map(({ heldBack }) => heldBack)).toEqual([false, false, true])
      expect(Math.min(age!, member!)).toBeLessThan(least)
      expect(book.spent().epsilon).toBeLessThanOrEqual(3e11)
      expect(book.releases.at(-1)!.state).toBe('recorded')
    }
  })

  test('what fails on the way leaves what was shown in the history and paid for, and the rest of ε as it was', async () => {
    for (const method of ['two-phase', 'ireduct', 'iresamp'] as const) {
      const { context, book } = await setting(neighbours)
      const fail = () => {
        throw new Error('a bug')
      }
      const release = measureMarginals({ ...request, method }, { ...context, progress: fail })
      await expect(release).rejects.toThrow('a bug')
      await book.follow()
      const { epsilon } = book.spent()
      expect(epsilon > 0 && epsilon < 3e11).toBe(true)
      const measurements = book.releases.flatMap((shown) => shown.measurements)
      expect(measurements.length).toBeGreaterThanOrEqual(3)
    }
  })
  test.each(['two-phase', 'ireduct', 'iresamp'] as const)(
    '%s stops at a signal: what was shown is recorded and charged, and the rest of ε is given back',
    async (method) => {
      for (const shown of [1, 3, 5]) {
        const { context, book } = await setting(neighbours)
        const stopped = new AbortController()
        const meter = stopping(context.meter, stopped, shown)
        const release = measureMarginals({ ...request, method }, { ...context, meter, signal: stopped.signal })
        await expect(release).rejects.toMatchObject({ code: 'interrupted' })
        await book.follow()
        const run = book.releases.at(-1)!
        expect([run.state, run.held.epsilon]).toEqual(['recorded', 0])
        // A run has shown all tables when it is opened; draws are shown one by one.
        expect(run.measurements).toHaveLength(method === 'ireduct' ? 3 : shown)
        const { epsilon } = book.spent()
        expect(epsilon > 0 && epsilon < 3e11).toBe(true)
      }
    },
  )
  test.each(Object.keys(rows) as MethodName[])('%s buys nothing where the signal came before', async (method) => {
    const { context, book, log } = await setting(neighbours)
    const release = measureMarginals({ ...request, method }, { ...context, signal: AbortSignal.abort() })
    await expect(release).rejects.toMatchObject({ code: 'interrupted' })
    expect([log, book.spent().epsilon]).toEqual([[], 0])
  })
  test('what cannot close either stays spent, with nothing in the history', async () => {
    for (const method of ['two-phase', 'ireduct', 'iresamp'] as const) {
      const { context, book } = await setting(neighbours)
      const broken = { close: () => Promise.reject(new Error('the disk is full')) }
      const meter = {
        ...context.meter,
        openRun: async (asked: RunRequest) => Object.assign(await context.meter.openRun(asked), broken),
        openDraws: async (asked: DrawsRequest) => Object.assign(await context.meter.openDraws(asked), broken),
      }
      const release = measureMarginals({ ...request, method }, { ...context, meter })
      await expect(release).rejects.toThrow('the disk is full')
      await book.follow()
      expect(book.spent().epsilon).toBe(3e11)
      expect(book.releases.flatMap(({ measurements }) => measurements)).toEqual([])
    }
  })
})
