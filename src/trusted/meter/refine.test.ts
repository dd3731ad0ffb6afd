import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ages, laplace, metered, people, promise, rows } from '../../../test/support/metered.ts'
import { memoryEngine } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { countAll, marginal, type NoiseLaw } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import type { Engine, Snapshot } from '../engine/index.ts'
import { Book, createLedger, type Ledger, openLedger } from '../ledger/index.ts'
import { Meter } from './index.ts'

const refused = (code: string) => expect.objectContaining({ code })
const twoCurrencies = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' } as const

/** A meter with one marginal bought at ε = 0.2, as measurement 2.0, and a log that begins after it. */
async function bought(options: Parameters<typeof metered>[0] = {}) {
  const made = await metered(options)
  await made.buy(marginal(['age']), laplace(0.2))
  made.log.length = 0
  const sharpen = (parent: string, law: NoiseLaw, meter = made.meter) =>
    meter.refine({ parent, law, analyst: null, statement: 'SELECT' })
  return { ...made, sharpen }
}

describe('a refinement', () => {
  test('is reserved, asked for and recorded in this order, for the difference in ε', async () => {
    const { sharpen, book, log } = await bought()
    const receipt = await sharpen('2.0', laplace(0.5))
    expect(log).toEqual(['refine', 'answer', 'record'])
    expect(receipt).toMatchObject({ cost: { epsilon: 3e11 }, before: { epsilon: 2e11 }, after: { epsilon: 5e11 } })
    expect(receipt.measurements).toMatchObject([{ id: '4.0', query: marginal(['age']), law: laplace(0.5) }])
    // Noise of scale 2 beyond 70: 10^-15 per cell.
    for (const value of receipt.measurements[0]!.values) expect(Math.abs(Number(value) - 50)).toBeLessThan(70)
    expect(book.spent().epsilon).toBe(5e11)
    expect(book.measurement('4.0')!.values).toEqual(receipt.measurements[0]!.values)
  })
  test('costs in full in ρ', async () => {
    const { sharpen, book } = await bought({ privacy: twoCurrencies })
    await sharpen('2.0', laplace(0.5))
    expect(book.spent()).toEqual({ epsilon: 5e11, rho: 2e10 + 1.25e11 })
  })
  test('is refined further through its child alone', async () => {
    const { sharpen, book } = await bought()
    await sharpen('2.0', laplace(0.3))
    await sharpen('4.0', laplace(0.4))
    const last = await sharpen('6.0', laplace(1))
    expect(last.measurements[0]!.id).toBe('8.0')
    expect(book.spent().epsilon).toBe(1e12)
  })
  test.each<[string, string, NoiseLaw, string]>([
    ['of nothing', '9.0', laplace(0.5), 'not-refinable'],
    ['of another place in a purchase', '2.1', laplace(0.5), 'not-refinable'],
    ['to as much noise', '2.0', laplace(0.2), 'scale-invalid'],
    ['to more noise', '2.0', laplace(0.1), 'scale-invalid'],
    ['to no noise', '2.0', { kind: 'none' }, 'not-refinable'],
    ['to Gaussian noise', '2.0', { kind: 'gaussian', variance: rational(1) }, 'not-refinable'],
    ['to a scale of 0', '2.0', { kind: 'laplace', scale: rational(0) }, 'scale-invalid'],
    ['to a negative scale', '2.0', { kind: 'laplace', scale: rational(-1) }, 'scale-invalid'],
    ['beyond the budget', '2.0', laplace(1.01), 'budget-exceeded'],
  ])('%s is refused, and nothing is written or asked', async (_, parent, law, code) => {
    const { sharpen, log } = await bought()
    await expect(sharpen(parent, law)).rejects.toThrow(refused(code))
    expect(log).toEqual([])
  })
  test('of Gaussian noise, or of what is public, is refused', async () => {
    const { meter, buy } = await metered({ privacy: { ...twoCurrencies, neighbours: 'replace-one' } })
    await buy(ages(0, 4), { kind: 'gaussian', variance: rational(1000) })
    await buy(countAll, { kind: 'none' })
    for (const parent of ['2.0', '4.0']) {
      const sharper = meter.refine({ parent, law: laplace(0.01), analyst: null, statement: null })
      await expect(sharper).rejects.toThrow(refused('not-refinable'))
    }
  })
  test('of a source that keeps no snapshots is refused, and nothing is written or asked', async () => {
    const { sharpen, log } = await bought({ unpinned: true })
    await expect(sharpen('2.0', laplace(0.5))).rejects.toThrow(refused('not-refinable'))
    expect(log).toEqual([])
  })
  test('of a measurement that has one is refused, even when that one was lost', async () => {
    const { sharpen, engine, log, book } = await bought()
    const answer = engine.answer
    engine.answer = () => Promise.reject(new ReticentError('engine-failed', {}, { message: 'no' }))
    await expect(sharpen('2.0', laplace(0.3))).rejects.toThrow(refused('engine-failed'))
    expect(log).toEqual(['refine', 'void'])
    engine.answer = answer
    await expect(sharpen('2.0', laplace(0.5))).rejects.toThrow(refused('not-refinable'))
    await expect(sharpen('4.0', laplace(0.5))).rejects.toThrow(refused('not-refinable'))
    expect(book.spent().epsilon).toBe(3e11)
  })
  test('is asked of a guard', async () => {
    let closed = false
    const { sharpen, log } = await bought({
      approve: () => {
        if (closed) throw new ReticentError('guarded', {}, { message: 'no' })
      },
    })
    closed = true
    await expect(sharpen('2.0', laplace(0.5))).rejects.toThrow(refused('guarded'))
    expect(log).toEqual([])
  })
  test('starts from the values that were recorded, whatever became of the copies handed out', async () => {
    const { sharpen, book } = await bought()
    const spoil = (values: unknown) => (values as Float64Array).fill(1e9)
    spoil(book.measurement('2.0')!.values)
    spoil(book.releases[0]!.measurements[0]!.values)
    // Had it started from 10^9, it would have stayed there with a probability near 1/6 in each of 10 cells.
    const { measurements } = await sharpen('2.0', laplace(0.5))
    for (const value of measurements[0]!.values) expect(Number(value)).toBeLessThan(1e6)
  })
})

describe('of two at a time one wins', () => {
  /** Full checks of the source that all wait for each other, so that everybody has looked before anybody pays. */
  function barrier(engine: Snapshot, parties: number): Engine {
    const waiting: (() => void)[] = []
    const snapshot: Snapshot = {
      ...engine,
      async full() {
        await new Promise<void>((go) => {
          waiting.push(go)
          if (waiting.length === parties) for (const each of waiting) each()
        })
        return engine.full()
      },
    }
    return { snapshot: async () => snapshot, close: async () => undefined }
  }
  async function race(engine: Snapshot, ledgers: readonly Ledger[]): Promise<void> {
    const shared = barrier(engine, ledgers.length)
    const meters = await Promise.all(
      ledgers.map(
        async (ledger) =>
          new Meter({ book: await Book.open(ledger), ledger, engine: shared, approve: () => {}, epoch: 1 }),
      ),
    )
    const outcomes = await Promise.allSettled(
      meters.map((meter) => meter.refine({ parent: '2.0', law: laplace(0.5), analyst: null, statement: null })),
    )
    const losers = outcomes.filter((o) => o.status === 'rejected')
    expect(losers).toHaveLength(ledgers.length - 1)
    for (const { reason } of losers) expect(reason).toEqual(refused('not-refinable'))
    const book = await Book.open(ledgers[0]!)
    expect(book.spent().epsilon).toBe(5e11)
    expect((await ledgers[0]!.read(0)).map(({ row }) => row.kind)).toEqual([
      'create',
      'reserve',
      'record',
      'refine',
      'record',
    ])
  }
  test('in one process', async () => {
    const { ledger, engine } = await bought()
    await race(engine, [ledger, ledger, ledger])
  })
  test('on one SQLite ledger, opened twice', async () => {
    const place = { kind: 'sqlite', path: join(mkdtempSync(join(tmpdir(), 'reticent-')), 'ledger') } as const
    const { ledger, engine } = await bought({ keep: (create, secret) => createLedger(place, create, secret) })
    const other = await openLedger(place)
    try {
      await race(engine, [ledger, other])
    } finally {
      await other.close()
      await ledger.close()
    }
  })
  test('through one meter', async () => {
    const { sharpen, book } = await bought()
    const outcomes = await Promise.allSettled([sharpen('2.0', laplace(0.5)), sharpen('2.0', laplace(0.4))])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(book.releases.filter(({ kind }) => kind === 'refine')).toHaveLength(1)
  })
})

describe('a source that changed', () => {
  /** As many records, so that the metadata of an engine in memory look the same. */
  const altered = memoryEngine({ rows: [...rows.slice(1), { age: 3, member: null }], universe: people })

  test('behind its metadata is caught, and nothing is spent', async () => {
    const { ledger, book, buy, sharpen, log, engine } = await bought()
    expect(altered.quick).toBe(engine.quick)
    const meter = new Meter({ book, ledger, engine: altered, approve: () => {}, epoch: 1 })
    await expect(sharpen('2.0', laplace(0.5), meter)).rejects.toThrow(refused('source-changed'))
    expect(log).toEqual([])
    // With the data restored it goes on.
    await buy(countAll, laplace(0.1))
    await sharpen('2.0', laplace(0.5))
  })
  test('after it was read in full is caught before anything is drawn', async () => {
    const { ledger, book, sharpen, log, engine } = await bought()
    const answer = () => Promise.reject(new ReticentError('source-changed', {}, { message: 'it changed' }))
    const moving: Engine = { snapshot: async () => ({ ...engine, answer }), close: async () => undefined }
    const meter = new Meter({ book, ledger, engine: moving, approve: () => {}, epoch: 1 })
    await expect(sharpen('2.0', laplace(0.5), meter)).rejects.toThrow(refused('source-changed'))
    expect(log).toEqual(['refine', 'void'])
    await book.follow()
    expect(book.spent().epsilon).toBe(5e11)
  })
  test('is not asked: what answers is the snapshot that was checked', async () => {
    const { ledger, book, sharpen, log, engine } = await bought()
    const snapshots = [engine]
    const moving: Engine = { snapshot: async () => snapshots.shift() ?? altered, close: async () => undefined }
    const meter = new Meter({ book, ledger, engine: moving, approve: () => {}, epoch: 1 })
    await sharpen('2.0', laplace(0.5), meter)
    expect(log).toEqual(['refine', 'answer', 'record'])
  })
  test('in a new epoch has nothing to refine', async () => {
    const { ledger, book, sharpen, log } = await bought()
    await ledger.append({ kind: 'epoch', attributes: people.attributes, fingerprint: book.fingerprint })
    log.length = 0
    await expect(sharpen('2.0', laplace(0.5))).rejects.toThrow(refused('not-refinable'))
    expect(log).toEqual([])
  })
})
