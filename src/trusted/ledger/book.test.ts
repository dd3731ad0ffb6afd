import { beforeEach, describe, expect, test } from 'vitest'
import { bySex, create } from '../../../test/contract/ledger-rows.ts'
import { memoryLedger } from '../../evaluation/index.ts'
import { fromNumber, type Rational, rational } from '../../numeric/index.ts'
import { countAll, type Grid, type LinearQuery, marginal, type NoiseLaw } from '../../query/index.ts'
import type { Privacy } from '../../schema/index.ts'
import { fits, rhoCap } from '../accounting/index.ts'
import { Book } from './book.ts'
import type { Ledger } from './ledger.ts'
import type { Purchase, Row } from './rows/row.ts'

const millionth = rational(1, 1_000_000)
const laplace = (b: number): NoiseLaw => ({ kind: 'laplace', scale: rational(b) })
const gaussian = (variance: number): NoiseLaw => ({ kind: 'gaussian', variance: rational(variance) })
const sexIs = (code: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { sex: { kind: 'set', codes: [code] } } }],
})
const buy = (query: LinearQuery, law: NoiseLaw, analyst: string | null = null): Row => ({
  kind: 'reserve',
  analyst,
  statement: null,
  purchases: [{ query, law }],
})
const record = (reserve: number, ...values: number[][]): Row => ({
  kind: 'record',
  reserve,
  values: values.map((v) => Float64Array.from(v)),
})
const refine = (parent: string, b: number, analyst: string | null = null): Row => ({
  kind: 'refine',
  analyst,
  statement: null,
  parent,
  law: laplace(b),
})
const falling: Grid = { first: rational(100), step: rational(10), count: 10 }
const runOpen = (
  epsilon: number,
  queries: LinearQuery[],
  analyst: string | null = null,
  grid: Grid | null = falling,
): Row => ({
  kind: 'run-open',
  analyst,
  statement: null,
  epsilon: fromNumber(epsilon),
  queries,
  grid,
})
const runClose = (open: number, purchases: Purchase[], ...values: number[][]): Row => ({
  kind: 'run-close',
  open,
  purchases,
  values: values.map((v) => Float64Array.from(v)),
})
const cap = (epsilon: number, delta: Rational): Row => ({ kind: 'cap', epsilon: fromNumber(epsilon), delta })
const epoch: Row = { kind: 'epoch', attributes: create.attributes, fingerprint: 'new' }

let ledger: Ledger
let book: Book
async function begin(privacy: Partial<Omit<Privacy, 'analysts'>> = { delta: millionth, composition: 'zcdp' }) {
  ledger = await memoryLedger({ ...create, privacy: { ...create.privacy, ...privacy } }, new Uint8Array(32))
  book = await Book.open(ledger)
}
async function append(...rows: Row[]): Promise<void> {
  for (const row of rows) await ledger.append(row)
  await book.follow()
}
beforeEach(() => begin())

describe('refinements', () => {
  const both: Row[] = [buy(marginal(['sex']), laplace(20)), record(2, [5, 7]), refine('2.0', 10)]
  test('pay the difference in ε and in full in ρ, and a chain telescopes', async () => {
    await append(...both)
    expect(book.spent()).toEqual({ epsilon: 1e11, rho: 1.25e9 + 5e9 })
    await append(record(4, [6, 6]), refine('4.0', 5))
    expect(book.spent()).toEqual({ epsilon: 2e11, rho: 1.25e9 + 5e9 + 2e10 })
    expect(
      book.releases.map(({ kind, charges }) => [kind, charges[0]?.kind === 'refinement' ? charges[0].paid : undefined]),
    ).toEqual([
      ['reserve', undefined],
      ['refine', laplace(20)],
      ['refine', laplace(10)],
    ])
  })
  test('have ids of their own, and are one to a measurement, recorded or not', async () => {
    await append(...both)
    expect([book.isRefined('2.0'), book.measurement('4.0')]).toEqual([true, undefined])
    await append(record(4, [6, 6]))
    expect(book.measurement('4.0')).toEqual({
      id: '4.0',
      query: marginal(['sex']),
      law: laplace(10),
      values: Float64Array.of(6, 6),
    })
    expect([book.isRefined('2.0'), book.isRefined('4.0')]).toEqual([true, false])
  })
  test('whoever refines pays for it, whoever bought the parent', async () => {
    await append(buy(countAll, laplace(20), 'alice'), record(2, [5]), refine('2.0', 4, 'bob'))
    expect(book.spent('alice')).toEqual({ epsilon: 5e10, rho: 1.25e9 })
    expect(book.spent('bob')).toEqual({ epsilon: 2e11, rho: 3.125e10 })
    expect(book.spent().epsilon).toBe(2.5e11)
  })
  test('what is handed out can be changed without changing what was recorded', async () => {
    await append(...both.slice(0, 2))
    for (const values of [book.measurement('2.0')!.values, book.releases[0]!.measurements[0]!.values])
      (values as Float64Array).fill(0)
    expect(book.measurement('2.0')!.values).toEqual(Float64Array.of(5, 7))
  })
})

describe('runs', () => {
  const queries = [sexIs(0), sexIs(1)]
  test('hold their ε for every record, in ρ half its square', async () => {
    await append(runOpen(0.3, queries))
    expect(book.spent()).toEqual({ epsilon: 3e11, rho: 4.5e10 })
    // Also for records that none of its queries count.
    await append(buy(countAll, laplace(10)))
    expect(book.spent()).toEqual({ epsilon: 4e11, rho: 5e10 })
    const reach = queries.map((query) => ({ query, law: laplace(10) }))
    expect(book.releases[0]).toMatchObject({
      kind: 'run-open',
      charges: [],
      held: { epsilon: 3e11, rho: 4.5e10 },
      state: 'open',
    })
    expect(book.releases[0]!.reach()).toMatchObject(reach)
  })
  test('when closed cost what they came to in ε, per cell, and what they held in ρ', async () => {
    const rest = [
      { query: queries[0]!, law: laplace(10) },
      { query: queries[1]!, law: laplace(50) },
    ]
    await append(runOpen(0.3, queries), runClose(2, rest, [4], [5]))
    expect(book.spent()).toEqual({ epsilon: 1e11, rho: 4.5e10 })
    expect(book.releases[0]).toMatchObject({ charges: rest, held: { epsilon: 0, rho: 0 }, state: 'recorded' })
    expect(book.measurement('2.1')).toMatchObject({ law: laplace(50), values: Float64Array.of(5) })
    // Its answers can be refined, from where they came to rest.
    await append(refine('2.1', 5))
    expect(book.spent()).toEqual({ epsilon: 2e11, rho: 4.5e10 + 2e10 })
  })
  test('whose answers have noise of their own cost what those came to, in ρ too', async () => {
    await append(runOpen(0.3, queries, null, null))
    expect(book.spent()).toEqual({ epsilon: 3e11, rho: 4.5e10 })
    // The sharpest is one answer for all of ε.
    const reach = queries.map((query) => ({ query, law: { kind: 'laplace', scale: rational(10, 3) } }))
    expect(book.releases[0]).toMatchObject({ held: { epsilon: 3e11, rho: 4.5e10 }, state: 'open' })
    expect(book.releases[0]!.reach()).toMatchObject(reach)
    const drawn = [laplace(10), laplace(50), laplace(10)].map((law) => ({ query: queries[0]!, law }))
    await append(runClose(2, drawn, [4], [5], [6]))
    expect(book.spent()).toEqual({ epsilon: 2.2e11, rho: 2 * 5e9 + 2e8 })
    expect(['2.0', '2.1', '2.2'].map((id) => book.measurement(id)!.values[0])).toEqual([4, 5, 6])
  })
  test('that never close stay spent, also when the data change', async () => {
    await append(runOpen(0.3, queries), epoch, buy(countAll, laplace(10)))
    expect(book.spent()).toEqual({ epsilon: 4e11, rho: 4.5e10 + 5e9 })
    expect(book.releases).toHaveLength(1)
  })
  test('come from an analyst’s purse too', async () => {
    await append(runOpen(0.3, [countAll], 'alice'))
    expect([book.spent('alice'), book.spent('bob')]).toEqual([
      { epsilon: 3e11, rho: 4.5e10 },
      { epsilon: 0, rho: 0 },
    ])
    await append(runClose(2, [{ query: countAll, law: laplace(20) }], [9]))
    expect(book.spent('alice')).toEqual({ epsilon: 5e10, rho: 4.5e10 })
  })
})

describe('epochs', () => {
  test('add up in both currencies, each at its own worst cell, for the dataset and for analysts', async () => {
    await append(buy(sexIs(0), laplace(10), 'alice'), buy(sexIs(1), gaussian(200), 'bob'))
    expect(book.spent().rho).toBe(5e9)
    await append(epoch, buy(sexIs(1), laplace(20), 'alice'))
    expect(book.spent('alice')).toEqual({ epsilon: 1.5e11, rho: 5e9 + 1.25e9 })
    expect(book.spent('bob')).toEqual({ epsilon: Number.POSITIVE_INFINITY, rho: 2.5e9 })
    expect(book.spent().rho).toBe(5e9 + 1.25e9)
    const more = [{ kind: 'measurement', query: sexIs(0), law: gaussian(100) } as const]
    // Women have paid nothing in this epoch; the bound that is asked for finds it out.
    const tight = { epsilon: 0, rho: 5e9 + 5e9 }
    expect(book.spentWith(more, tight).rho).toBe(5e9 + 5e9)
    expect(book.spentWith(more, tight, { analyst: 'carol' }).rho).toBe(5e9)
  })
  test('retire measurements', async () => {
    await append(buy(countAll, laplace(10)), record(2, [1]), epoch)
    expect([book.measurement('2.0'), book.epochs]).toEqual([undefined, 2])
  })
})

describe('the cap', () => {
  const fitsWith = (law: NoiseLaw) =>
    fits(book.spentWith([{ kind: 'measurement', query: countAll, law }], book.cap), book.cap)
  test('is in ε alone for δ = 0 or composition: pure, in both currencies for δ > 0', async () => {
    expect(book.cap).toEqual({ epsilon: 1e12, rho: rhoCap(rational(1), millionth) })
    expect(book.capOf(rational(1, 2)).rho).toBe(rhoCap(rational(1, 2), millionth))
    // The policy's word on composition counts, not the one at the creation.
    expect((await Book.open(ledger, 'pure')).cap).toEqual({ epsilon: 1e12, rho: null })
    await begin({ delta: rational(0), composition: 'pure' })
    expect(book.cap.rho).toBe(null)
    expect((await Book.open(ledger, 'zcdp')).cap.rho).toBe(null)
  })
  test('from δ = 0 to δ > 0 an old ledger counts in ρ as well, epochs and all', async () => {
    await begin({ delta: rational(0), composition: 'pure' })
    await append(buy(countAll, laplace(10)), epoch, buy(countAll, laplace(10)))
    book = await Book.open(ledger, 'zcdp')
    expect(fitsWith(gaussian(10_000))).toBe(false)
    await append(cap(1, millionth))
    expect(book.spent()).toEqual({ epsilon: 2e11, rho: 1e10 })
    expect(fitsWith(gaussian(10_000))).toBe(true)
    expect(fitsWith(gaussian(20))).toBe(false)
    expect(fitsWith(laplace(1))).toBe(false)
    expect(fitsWith({ kind: 'laplace', scale: rational(5, 4) })).toBe(true)
  })
  test('back to δ = 0, Laplace noise counts as ever and Gaussian noise is more than any ε', async () => {
    await append(buy(countAll, laplace(10)), cap(1, rational(0)))
    expect(book.spent()).toEqual({ epsilon: 1e11, rho: 0 })
    expect([fitsWith(laplace(2)), fitsWith(laplace(1)), fitsWith(gaussian(1e6))]).toEqual([true, false, false])
    await append(cap(1, millionth), buy(countAll, gaussian(1000)), cap(1, rational(0)))
    expect(book.spent().epsilon).toBe(Number.POSITIVE_INFINITY)
    expect(fitsWith(laplace(1000))).toBe(false)
    await append(cap(1, millionth))
    expect(book.spent().rho).toBe(5e9 + 5e8)
    expect(fitsWith(gaussian(1000))).toBe(true)
  })
})

test('a book read again says the same', async () => {
  await append(
    buy(bySex.query, laplace(20), 'alice'),
    record(2, [1, 2]),
    refine('2.0', 10),
    runOpen(0.1, [countAll], 'bob'),
    runClose(5, [{ query: countAll, law: laplace(20) }], [3]),
    runOpen(0.05, [countAll]),
    buy(sexIs(1), gaussian(500)),
  )
  const again = await Book.open(ledger)
  for (const name of [undefined, 'alice', 'bob']) expect(again.spent(name)).toEqual(book.spent(name))
  expect(again.spent().rho).toBe(1.25e9 + 5e9 + 5e9 + 1.25e9 + 1e9)
  // What runs hold is held for everybody.
  expect(again.exhibited().rho).toBe(again.spent().rho)
  const plain = ({ releases }: Book) => releases.map((release) => ({ ...release, reach: release.reach() }))
  expect(plain(again)).toEqual(plain(book))
})

test('a guard is kept since the first of the rows that have it without a break', async () => {
  const [one, other] = [3, 5].map((n) => ({ query: 'q', within: rational(n), confidence: rational(9, 10) }))
  const rows = [[one!], [one!, other!], [other!], [other!, one!]]
  expect(book.keepsGuards([])).toBe(true)
  const since = []
  for (const guards of rows) {
    await append({ kind: 'guards', guards })
    expect([book.keepsGuards(guards.toReversed()), book.keepsGuards([])]).toEqual([true, false])
    since.push([book.guardedSince(one!), book.guardedSince(other!)])
  }
  expect(since).toEqual([
    [2, undefined],
    [2, 3],
    [undefined, 3],
    [5, 3],
  ])
})

test('what was asked about cannot become another charge before it is bought', async () => {
  await begin({ composition: 'pure' })
  const charge = { kind: 'measurement' as const, query: sexIs(0), law: laplace(100) }
  expect(book.spentWith([charge], book.cap).epsilon).toBe(1e10)
  expect(() => Object.assign(charge, { law: laplace(2) })).toThrow(TypeError)
  await append(buy(sexIs(0), laplace(2)))
  expect(book.spent().epsilon).toBe(5e11)
})
