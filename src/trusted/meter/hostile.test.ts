import { describe, expect, test } from 'vitest'
import { laplace, metered } from '../../../test/support/metered.ts'
import { rational } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { type Charge, isAnswer, type MeasurementCharge } from '../accounting/index.ts'
import type { Draws, Run } from './index.ts'

const nobody = { analyst: null, statement: null }
const grid = { first: rational(1000), step: rational(1), count: 1000 }
const all = (queries: number) => Array.from({ length: queries }, () => countAll)
const thousandth = rational(1, 1000)
type Any = never

/** Lets the first answers of a run pass, but not all that it may show: so it is asked at every step. */
const stepwise = (atStep: () => void) => (charges: readonly Charge[], run?: number) => {
  if (run !== undefined) atStep()
  else if (charges.some((c) => isAnswer(c) && c.law.kind === 'laplace' && c.law.scale.num < 1000n))
    throw new ReticentError('guarded', {}, { message: 'no' })
}

describe('whoever hands over what the types forbid gets nothing for it', () => {
  test('a negative denominator is no credit', async () => {
    const { meter } = await metered()
    const draws = await meter.openDraws({ queries: [countAll], epsilon: thousandth, ...nobody })
    const wrong = { query: 0, scale: { num: 1n, den: -1000n } }
    expect(draws.allows([wrong])).toBe(false)
    expect(() => draws.draw(wrong)).toThrow(RangeError)
    expect(draws.allows([{ query: 0, scale: rational(1, 500) }])).toBe(false)
    expect((await draws.close()).measurements).toEqual([])
  })
  test('a scale that is another each time it is read', async () => {
    for (let honest = 1; honest < 15; honest++) {
      const { meter } = await metered()
      const draws = await meter.openDraws({ queries: [countAll], epsilon: thousandth, ...nobody })
      let read = 0
      const num = { valueOf: () => (read++ < honest ? 1000n : 1n) }
      const drawn = () => draws.draw({ query: 0, scale: { num: num as Any, den: 1n } })
      try {
        drawn()
      } catch {}
      for (const { law } of (await draws.close()).measurements)
        expect(law).toEqual({ kind: 'laplace', scale: rational(1000) })
    }
  })
  test('a query that is another each time it is read', async () => {
    const { meter } = await metered()
    const run = await meter.openRun({ queries: all(2), grid, epsilon: rational(1, 10), ...nobody })
    expect(() => run.lower({ toString: () => '0' } as Any, 10)).toThrow(RangeError)
    expect(run.allows(0.5, 10)).toBe(false)
  })
  test('more levels than can be kept are refused before anything is charged', async () => {
    const { meter, log } = await metered()
    const endless = { first: rational(1000), step: rational(1n, 2n ** 60n), count: 2 ** 40 }
    const opening = meter.openRun({ queries: all(1), grid: endless, epsilon: rational(1, 10), ...nobody })
    await expect(opening).rejects.toMatchObject({ code: 'scale-invalid' })
    expect(log).toEqual([])
  })
  test('a law that could not be read back is not sold', async () => {
    const { meter, book } = await metered()
    const law = { kind: new String('laplace') as Any, scale: rational(10) }
    await expect(meter.measure({ charges: [{ query: countAll, law }], ...nobody })).rejects.toThrow()
    await book.follow()
    expect(book.spent().epsilon).toBe(0)
  })
})

describe('whoever is asked on the way cannot call back', () => {
  test('lower from within a step', async () => {
    const within: (() => void)[] = []
    const { meter } = await metered({ approve: stepwise(() => within.pop()?.()) })
    const run = await meter.openRun({ queries: all(2), grid, epsilon: rational(102, 1000), ...nobody })
    within.push(() => run.lower(1, 990))
    expect(() => run.lower(0, 990)).toThrow(RangeError)
    expect([run.level(0), run.level(1)]).toEqual([0, 0])
    // What it was refused for is over: the run goes on.
    expect(run.lower(0, 990).level).toBe(990)
    expect(run.allows(1, 990)).toBe(false)
  })
  test('close from within a step', async () => {
    let closing: Promise<unknown> | undefined
    let run: Run | undefined
    const approve = stepwise(() => {
      closing ??= run!.close()
    })
    const { meter, book } = await metered({ approve })
    run = await meter.openRun({ queries: all(1), grid, epsilon: rational(1), ...nobody })
    run.lower(0, 999)
    await expect(closing).rejects.toThrow(RangeError)
    await run.close()
    expect(book.spent().epsilon).toBe(1e12)
  })
  test('draw from within a draw', async () => {
    let draws: Draws | undefined
    const approve = (charges: readonly Charge[], run?: number) => {
      if (run !== undefined) draws!.draw({ query: 0, scale: rational(10) })
      else if (charges.length > 0) throw new ReticentError('guarded', {}, { message: 'no' })
    }
    const { meter, book } = await metered({ approve })
    draws = await meter.openDraws({ queries: [countAll], epsilon: rational(1, 10), ...nobody })
    expect(() => draws!.draw({ query: 0, scale: rational(10) })).toThrow(RangeError)
    expect((await draws.close()).measurements).toEqual([])
    expect(book.spent().epsilon).toBe(0)
  })
  test('nor change what was priced', async () => {
    const approve = (charges: readonly Charge[]) => {
      ;((charges[0] as MeasurementCharge).query.terms[0] as { coefficient: number }).coefficient = 100
    }
    const { meter, log } = await metered({ approve })
    const opening = meter.openRun({ queries: all(1), grid, epsilon: rational(1, 10), ...nobody })
    await expect(opening).rejects.toThrow(TypeError)
    expect(log).toEqual([])
  })
})

test('a step that fails once noise was lowered ends the run, with all of its ε spent', async () => {
  // 2^14 steps to a record and noise to match: beyond doubles, so that what changed is read from the array of cells.
  const wide = { ...countAll, terms: [{ coefficient: 2 ** 14, factors: {} }] }
  const coarse = { first: rational(1000 * 2 ** 14), step: rational(2 ** 14), count: 1000 }
  let failed = 0
  for (let i = 0; i < 5; i++) {
    const { meter, book } = await metered()
    const run = await meter.openRun({ queries: [wide], grid: coarse, epsilon: rational(2, 10), ...nobody })
    ;(run.lower(0, 0).cells.buffer as ArrayBuffer).transfer()
    try {
      run.lower(0, 990)
    } catch {
      failed++
      await expect(run.close()).rejects.toThrow(RangeError)
      expect(() => run.lower(0, 991)).toThrow(RangeError)
      await book.follow()
      expect(book.spent().epsilon).toBe(2e11)
    }
  }
  expect(failed).toBeGreaterThan(0)
})

test('what a book shows cannot be changed', async () => {
  const { meter, book } = await metered()
  await meter.openDraws({ queries: [countAll], epsilon: rational(5, 10), ...nobody })
  await meter.measure({ charges: [{ query: countAll, law: laplace(0.01) }], ...nobody })
  const changes = [
    () => Object.assign(book.releases[0]!.held, { epsilon: 5e14 }),
    () => Object.assign(book.releases[0]!, { charges: [] }),
    () => Object.assign(book.releases[1]!.charges[0]!, { law: laplace(1) }),
    () => Object.assign(book.releases[1]!.measurements[0]!, { law: laplace(1) }),
    () => Object.assign(book.cap, { epsilon: 1e15 }),
    () => Object.assign(book.terms, { delta: rational(1, 2) }),
    () => Object.assign(book.terms.epsilon, { num: 1000n }),
  ]
  for (const change of changes) expect(change).toThrow(TypeError)
})
