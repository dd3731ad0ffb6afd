import { expect, test } from 'vitest'
import { ages, laplace, metered, people, promise, rows } from '../../../test/support/metered.ts'
import { memoryEngine } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { countAll, marginal, type NoiseLaw } from '../../query/index.ts'
import { attribute, ReticentError, universe } from '../../schema/index.ts'
import { isAnswer } from '../accounting/index.ts'
import { Book } from '../ledger/index.ts'
import { Meter } from './index.ts'

const refused = (code: string) => expect.objectContaining({ code })

test('reserves, then asks, then records; and the answer is the exact one plus noise', async () => {
  const { log, buy, book } = await metered()
  const { measurements, cost, after } = await buy(marginal(['age']), laplace(0.5))
  expect(log).toEqual(['reserve', 'answer', 'record'])
  expect([cost.epsilon, after.epsilon, book.spent().epsilon]).toEqual([5e11, 5e11, 5e11])
  expect(measurements[0]!.values).toHaveLength(10)
  // Noise of scale 2 beyond 70: 10^-15 per cell.
  for (const value of measurements[0]!.values) expect(Math.abs(Number(value) - 50)).toBeLessThan(70)
  expect(book.releases).toMatchObject([{ state: 'recorded', measurements: [{ id: '2.0' }] }])
})

test('a refusal touches neither the data nor the ledger', async () => {
  const { log, buy } = await metered()
  await expect(buy(countAll, laplace(1.01))).rejects.toThrow(refused('budget-exceeded'))
  expect(log).toEqual([])
})

test('an engine that fails loses the budget, and says nothing of the data', async () => {
  const { log, book, engine, buy } = await metered()
  engine.answer = () => Promise.reject(new ReticentError('engine-failed', {}, { message: 'no' }))
  await expect(buy(countAll, laplace(0.4))).rejects.toThrow(refused('engine-failed'))
  expect(log).toEqual(['reserve', 'void'])
  await book.follow()
  expect(book.spent().epsilon).toBe(4e11)
  expect(book.releases).toMatchObject([{ state: 'void' }])
})

test('questions at the same time cannot overspend', async () => {
  const { ledger, engine, book } = await metered()
  const meters = await Promise.all(
    Array.from(
      { length: 4 },
      async () => new Meter({ book: await Book.open(ledger), ledger, engine, approve: () => {}, epoch: 1 }),
    ),
  )
  const charges = [{ query: countAll, law: laplace(0.15) }]
  const all = [...meters, ...meters].map((meter) => meter.measure({ charges, analyst: null, statement: null }))
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(6)
  await book.follow()
  expect(book.spent().epsilon).toBe(9e11)
})

test('an analyst pays from a quota and from the common budget', async () => {
  const { buy, book } = await metered()
  const alice = { name: 'alice', cap: { epsilon: 3e11, rho: null } }
  await buy(ages(0, 4), laplace(0.3), alice)
  await buy(ages(5, 9), laplace(0.3), alice) // other people: the worst cell of hers stays
  await expect(buy(ages(0, 0), laplace(0.01), alice)).rejects.toThrow(refused('budget-exceeded'))
  expect(['alice', 'bob', undefined].map((name) => book.spent(name).epsilon)).toEqual([3e11, 0, 3e11])
})

test('nothing leaves without noise but what is public', async () => {
  const { buy } = await metered()
  await expect(buy(countAll, { kind: 'none' })).rejects.toThrow(refused('scale-invalid'))
  const replaceOne = await metered({ privacy: { ...promise, neighbours: 'replace-one' } })
  await expect(replaceOne.buy(ages(0, 4), { kind: 'none' })).rejects.toThrow(refused('scale-invalid'))
  expect((await replaceOne.buy(countAll, { kind: 'none' })).measurements[0]!.values[0]).toBe(500)
})

test('a scale that is not above 0, an unknown attribute and codes outside a domain are refused', async () => {
  const { buy, log } = await metered()
  await expect(buy(countAll, { kind: 'laplace', scale: rational(0) })).rejects.toThrow(refused('scale-invalid'))
  await expect(buy(countAll, { kind: 'laplace', scale: rational(-1) })).rejects.toThrow(refused('scale-invalid'))
  await expect(buy(marginal(['shoe size']), laplace(0.1))).rejects.toThrow(refused('unknown-name'))
  await expect(buy(ages(0, 10), laplace(0.1))).rejects.toThrow(refused('query-invalid'))
  expect(log).toEqual([])
})

test('what a guard refuses is not bought', async () => {
  const { buy, log } = await metered({
    approve: () => {
      throw new ReticentError('guarded', {}, { message: 'no' })
    },
  })
  await expect(buy(countAll, laplace(0.1))).rejects.toThrow(refused('guarded'))
  expect(log).toEqual([])
})

test('runs and draws show nothing more once another epoch has begun', async () => {
  const { meter, book, ledger } = await metered()
  const asked = { queries: [countAll], epsilon: rational(1, 10), analyst: null, statement: null }
  const run = await meter.openRun({ ...asked, grid: { first: rational(100), step: rational(1), count: 50 } })
  const draws = await meter.openDraws(asked)
  run.lower(0, 1)
  draws.draw({ query: 0, scale: rational(100) })
  await ledger.append({ kind: 'epoch', attributes: people.attributes, fingerprint: book.fingerprint })
  await book.follow()
  expect(() => run.lower(0, 2)).toThrow(refused('policy-changed'))
  expect(() => draws.draw({ query: 0, scale: rational(100) })).toThrow(refused('policy-changed'))
})

test('an epoch closes at its worst cell, and a meter opened before it sells nothing more', async () => {
  const { buy, book, ledger } = await metered()
  await buy(ages(0, 4), laplace(0.4))
  await ledger.append({ kind: 'epoch', attributes: people.attributes, fingerprint: book.fingerprint })
  await expect(buy(ages(5, 9), laplace(0.4))).rejects.toThrow(refused('policy-changed'))
  await book.follow()
  // A person may have moved from one half to the other: the halves add up over epochs.
  expect(book.spentWith([{ kind: 'measurement', query: ages(5, 9), law: laplace(0.4) }], book.cap).epsilon).toBe(8e11)
  expect(book.releases).toEqual([])
})

test('a source that is not the ledger’s is refused before anything is reserved', async () => {
  const { book, ledger, log } = await metered()
  const engine = memoryEngine({ rows: rows.slice(1), universe: people })
  const meter = new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 })
  const charges = [{ query: countAll, law: laplace(0.1) }]
  await expect(meter.measure({ charges, analyst: null, statement: null })).rejects.toThrow(refused('source-changed'))
  expect(log).toEqual([])
})

test('what the asker changes after asking changes nothing', async () => {
  const { meter, log } = await metered()
  const law: { kind: 'laplace' | 'none'; scale: ReturnType<typeof rational> } = {
    kind: 'laplace',
    scale: rational(1000),
  }
  const bought = meter.measure({ charges: [{ query: countAll, law: law as NoiseLaw }], analyst: null, statement: null })
  law.kind = 'none'
  const [measurement] = (await bought).measurements
  expect(log).toEqual(['reserve', 'answer', 'record'])
  expect(measurement!.law).toEqual({ kind: 'laplace', scale: rational(1000) })
})

test('charges in the book cannot be changed by whoever reads it', async () => {
  const { buy, book } = await metered()
  await buy(ages(0, 4), laplace(0.5))
  const [charge] = book.releases[0]!.charges.filter(isAnswer)
  expect(() => Object.assign(charge!.law, { scale: rational(10 ** 6) })).toThrow(TypeError)
  expect(() => Object.assign(charge!.query.terms[0]!, { coefficient: 0 })).toThrow(TypeError)
  await expect(buy(ages(0, 4), laplace(0.6))).rejects.toThrow(refused('budget-exceeded'))
})

test('an epoch that begins while the data are read is noticed before anything is recorded or returned', async () => {
  const { book, ledger, engine } = await metered()
  const meter = new Meter({ book, ledger, engine, approve: () => {}, epoch: 1 })
  const { answer } = engine
  engine.answer = async (queries) => {
    await ledger.append({ kind: 'epoch', attributes: people.attributes, fingerprint: book.fingerprint })
    return answer(queries)
  }
  const charges = [{ query: countAll, law: laplace(0.1) }]
  await expect(meter.measure({ charges, analyst: null, statement: null })).rejects.toThrow(refused('policy-changed'))
  expect((await ledger.read(0)).map(({ row }) => row.kind)).toEqual(['create', 'reserve', 'epoch'])
})

test('answers that would not fit in memory together are refused before anything is charged', async () => {
  const wide = (name: string) => attribute({ kind: 'integer', name, low: 1, high: 2 ** 13, closed: true })
  const { meter, log } = await metered({ over: universe([wide('a'), wide('b')]), rows: [] })
  const charge = { query: marginal(['a', 'b']), law: laplace(0.01) }
  const charges = [charge, charge]
  await expect(meter.measure({ charges, analyst: null, statement: null })).rejects.toThrow(refused('query-invalid'))
  expect(log).toEqual([])
})
