import { describe, expect, test } from 'vitest'
import { metered, people, promise } from '../../../test/support/metered.ts'
import { gaussianVariance, laplaceVariance, one, rational, toNumber } from '../../numeric/index.ts'
import { marginal, type NoiseLaw } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { isAnswer, scaleFor, varianceFor } from '../../trusted/accounting/index.ts'
import type { Approve } from '../../trusted/meter/index.ts'
import type { DrawsRequest, RunRequest } from '../meter.ts'
import { measureMarginals } from './measure.ts'
import type { MarginalsRequest, MethodName } from './methods/index.ts'
import type { MarginalsContext } from './request.ts'

const request: MarginalsRequest = {
  marginals: [['age'], ['member'], ['age', 'member']],
  method: 'laplace',
  budget: { epsilon: rational(3, 10) },
  floor: { kind: 'count', count: 5 },
  records: { kind: 'known', count: 500 },
  stepShare: rational(1, 10_000),
}

/** Every method in every currency that it can be paid in, and the rows of its release. */
interface Form {
  readonly method: MethodName
  readonly currency: 'epsilon' | 'rho'
  readonly rows: readonly string[]
  /** So much of 3·10^11 units is left: those of equal noise; halving leaves up to half, λΔ up to a step of the grid. */
  readonly left: number
}
const run = ['run-open', 'answer', 'run-close']
const forms: { readonly [name: string]: Form } = {
  laplace: { method: 'laplace', currency: 'epsilon', rows: ['reserve', 'answer', 'record'], left: 3 },
  'two-phase': { method: 'two-phase', currency: 'epsilon', rows: run, left: 0 },
  ireduct: { method: 'ireduct', currency: 'epsilon', rows: run, left: 2e9 },
  iresamp: { method: 'iresamp', currency: 'epsilon', rows: run, left: 1.5e11 },
  gaussian: { method: 'gaussian', currency: 'rho', rows: run, left: 3 },
  'Gaussian two-phase': { method: 'two-phase', currency: 'rho', rows: run, left: 0 },
}
const drawing = ['two-phase', 'ireduct', 'iresamp', 'gaussian', 'Gaussian two-phase']
const requestOf = ({ method, currency }: Form): MarginalsRequest => ({
  ...request,
  method,
  budget: currency === 'rho' ? { rho: rational(3, 10) } : request.budget,
})

/** The shipped meter over 500 people, fifty of every age, half of them members. */
async function setting(neighbours: 'add-remove' | 'replace-one', { currency }: Form, approve?: Approve) {
  const zcdp = { epsilon: rational(10), delta: rational(1, 1000), composition: 'zcdp' } as const
  const privacy = { ...promise, neighbours, ...(currency === 'rho' && zcdp) }
  const { meter, book, log } = await metered({ privacy, ...(approve && { approve }) })
  const buyer = { analyst: null, statement: null }
  const context: MarginalsContext = {
    universe: people,
    unitNoise: (query) => (currency === 'rho' ? varianceFor : scaleFor)(query, one, { universe: people, privacy }),
    meter: {
      measure: (charges) => meter.measure({ ...buyer, charges }),
      openRun: (run) => meter.openRun({ ...buyer, ...run }),
      openDraws: (draws) => meter.openDraws({ ...buyer, ...draws }),
    },
  }
  return { context, book, log, spent: () => book.spent()[currency] }
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

const varianceOf = (law: NoiseLaw): number =>
  law.kind === 'gaussian'
    ? gaussianVariance(toNumber(law.variance))
    : law.kind === 'laplace'
      ? laplaceVariance(toNumber(law.scale))
      : 0
const scaleOf = (law: NoiseLaw): number => (law.kind === 'laplace' ? toNumber(law.scale) : Math.sqrt(varianceOf(law)))

describe.each(['add-remove', 'replace-one'] as const)('through the shipped meter, with %s neighbours', (neighbours) => {
  test.each(Object.keys(forms))('%s reads the data once and spends no more than its budget', async (name) => {
    const form = forms[name]!
    const { context, book, log, spent } = await setting(neighbours, form)
    const { marginals, receipts } = await measureMarginals(requestOf(form), context)
    expect(log).toEqual(form.rows)
    expect(spent()).toBeLessThanOrEqual(3e11)
    expect(spent()).toBeGreaterThanOrEqual(3e11 - form.left)
    // Units that equal noise leaves, each marginal's rounded up.
    const prices = marginals.reduce((sum, { price }) => sum + price, 0)
    expect(Math.abs(prices - spent() / 1e12)).toBeLessThan(1e-11)
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
    for (const name of ['two-phase', 'iresamp', 'Gaussian two-phase']) {
      const { context, book } = await setting(neighbours, forms[name]!)
      const { marginals } = await measureMarginals(requestOf(forms[name]!), context)
      const history = book.releases.flatMap((release) => release.measurements)
      for (const { attributes, values } of marginals) {
        const name = JSON.stringify(marginal(attributes).by)
        const own = history.filter(({ query }) => JSON.stringify(query.by) === name)
        const weights = own.map(({ law }) => 1 / varianceOf(law))
        const total = weights.reduce((a, b) => a + b)
        values.forEach((value, i) => {
          const combined = own.reduce((sum, m, k) => sum + (weights[k]! / total) * Number(m.values[i]), 0)
          expect(value).toBeCloseTo(combined, 6)
        })
      }
    }
  })

  test('where a guard says no, a marginal keeps the noise it has and the others go on', async () => {
    for (const name of ['two-phase', 'ireduct', 'iresamp', 'Gaussian two-phase']) {
      // Below the noise of the first look, above that of the second.
      const least = { epsilon: [20, 40], rho: [4, 5.5] }[forms[name]!.currency][neighbours === 'add-remove' ? 0 : 1]!
      const approve: Approve = (charges) => {
        for (const { query, law } of charges.filter(isAnswer))
          if (query.by.length === 2 && scaleOf(law) < least) throw new ReticentError('guarded', {}, { message: 'no' })
      }
      const { context, book, spent } = await setting(neighbours, forms[name]!, approve)
      const { marginals } = await measureMarginals(requestOf(forms[name]!), context)
      const [age, member, both] = marginals.map(({ scale }) => scale)
      expect(both).toBeGreaterThanOrEqual(least)
      expect(marginals.map(({ heldBack }) => heldBack)).toEqual([false, false, true])
      expect(Math.min(age!, member!)).toBeLessThan(least)
      expect(spent()).toBeLessThanOrEqual(3e11)
      expect(book.releases.at(-1)!.state).toBe('recorded')
    }
  })

  test('what fails on the way leaves what was shown in the history and paid for, and the rest of ε as it was', async () => {
    for (const name of drawing) {
      const { context, book, spent } = await setting(neighbours, forms[name]!)
      const fail = () => {
        throw new Error('a bug')
      }
      const release = measureMarginals(requestOf(forms[name]!), { ...context, progress: fail })
      await expect(release).rejects.toThrow('a bug')
      await book.follow()
      expect(spent() > 0 && spent() < 3e11).toBe(true)
      const measurements = book.releases.flatMap((shown) => shown.measurements)
      expect(measurements.length).toBeGreaterThanOrEqual(name === 'gaussian' ? 1 : 3)
    }
  })
  test.each(drawing)(
    '%s stops at a signal: what was shown is recorded and charged, and the rest is given back',
    async (name) => {
      const form = forms[name]!
      // So many answers, or hundreds of steps, every method has: how many more is up to the noise.
      for (const shown of { gaussian: [1, 2], ireduct: [1, 3, 4] }[form.method as string] ?? [1, 3, 5]) {
        const { context, book, spent } = await setting(neighbours, form)
        const stopped = new AbortController()
        const meter = stopping(context.meter, stopped, shown)
        const release = measureMarginals(requestOf(form), { ...context, meter, signal: stopped.signal })
        await expect(release).rejects.toMatchObject({ code: 'interrupted' })
        await book.follow()
        const run = book.releases.at(-1)!
        expect([run.state, run.held]).toEqual(['recorded', { epsilon: 0, rho: run.held.rho }])
        // A run has shown all tables when it is opened; draws are shown one by one.
        expect(run.measurements).toHaveLength(form.method === 'ireduct' ? 3 : shown)
        expect(spent() > 0 && spent() < 3e11).toBe(true)
      }
    },
  )
  test.each(Object.keys(forms))('%s buys nothing where the signal came before', async (name) => {
    const { context, log, spent } = await setting(neighbours, forms[name]!)
    const release = measureMarginals(requestOf(forms[name]!), { ...context, signal: AbortSignal.abort() })
    await expect(release).rejects.toMatchObject({ code: 'interrupted' })
    expect([log, spent()]).toEqual([[], 0])
  })
  test('what cannot close either stays spent, with nothing in the history', async () => {
    for (const name of drawing) {
      const { context, book, spent } = await setting(neighbours, forms[name]!)
      const broken = { close: () => Promise.reject(new Error('the disk is full')) }
      const meter = {
        ...context.meter,
        openRun: async (asked: RunRequest) => Object.assign(await context.meter.openRun(asked), broken),
        openDraws: async (asked: DrawsRequest) => Object.assign(await context.meter.openDraws(asked), broken),
      }
      const release = measureMarginals(requestOf(forms[name]!), { ...context, meter })
      await expect(release).rejects.toThrow('the disk is full')
      await book.follow()
      expect(spent()).toBe(3e11)
      expect(book.releases.flatMap(({ measurements }) => measurements)).toEqual([])
    }
  })
})
