import { expect, test } from 'vitest'
import { asking, usual } from '../../../test/support/asking.ts'
import { quantileOf } from '../../../test/support/quantile-coverage.ts'
import { rational } from '../../numeric/index.ts'
import { attribute, universe } from '../../schema/index.ts'

const over = universe([
  attribute({ kind: 'integer', name: 'x', low: 0, high: 59, closed: false }),
  attribute({ kind: 'values', name: 'sex', values: ['F', 'M', 'X'], other: false, closed: true }),
  attribute({
    kind: 'bins',
    name: 'fare',
    low: rational(0),
    high: rational(60),
    width: rational(10),
    edges: [],
    stated: [],
    closed: true,
  }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1990-01-01',
    to: '1994-12-31',
    by: 'month',
    format: 'YYYY-MM-DD',
    closed: true,
  }),
])
/** So much that a step's noise is 0 but once in e^40 times. */
const rich = {
  unit: { kind: 'row' },
  neighbours: 'add-remove',
  epsilon: rational(8000),
  delta: rational(0),
  composition: 'pure',
} as const
const plenty = { epsilon: 100 }

type Row = { x: number | null; sex: string; fare: number; born: string }
/** From 0 up to below 1, the same on every run. */
function draws(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
function table(size: number, seed: number): Row[] {
  const random = draws(seed)
  return Array.from({ length: size }, () => ({
    x: random() < 0.1 ? null : Math.floor(60 * random() * random()),
    sex: random() < 0.4 ? 'F' : 'M',
    fare: 60 * random() ** 2,
    born: `199${Math.floor(5 * random())}-0${1 + Math.floor(9 * random())}-15`,
  }))
}

const exact = (rows: readonly Row[], share: number, kind: 'cont' | 'disc', descending = false): number =>
  quantileOf(
    rows.flatMap(({ x }) => (x === null ? [] : [x])),
    share,
    kind,
    descending,
  )

const forms = [0.01, 0.25, 0.5, 2 / 3, 0.9].flatMap((share) =>
  (['cont', 'disc'] as const).flatMap((kind) => [false, true].map((descending) => ({ share, kind, descending }))),
)

test.each([1, 2, 7, 40, 41])('of %i records every quantile is exact or surrounded', async (size) => {
  const rows = table(size, 100 * size)
  let points = 0
  for (const { share, kind, descending } of forms) {
    const { put } = await asking({ rows, over, privacy: rich })
    const order = descending ? 'x DESC' : 'x'
    const sql = `SELECT PERCENTILE_${kind}(${share}) WITHIN GROUP (ORDER BY ${order}) FROM people`
    const { estimate, interval } = await put(sql, plenty)
    const wanted = exact(rows, share, kind, descending)
    if (rows.every(({ x }) => x === null)) continue
    expect(interval[0]).toBeLessThanOrEqual(wanted)
    expect(interval[1]).toBeGreaterThanOrEqual(wanted)
    if (interval[0] !== interval[1]) continue
    expect(estimate).toBe(wanted)
    points++
  }
  // Only where a share falls between two records more than one value is left.
  if (size >= 40) expect(points).toBeGreaterThanOrEqual(8)
})

test('groups, conditions and filters are those of the statement', async () => {
  const rows = table(400, 5)
  const { put } = await asking({ rows, over, privacy: rich })
  const found = await put('SELECT sex, QUANTILE_DISC(x, 0.5) FROM people WHERE fare < 30 GROUP BY sex', plenty)
  for (const sex of ['F', 'M']) {
    const own = rows.filter((row) => row.sex === sex && row.fare < 30)
    const { estimate } = found.groups.find((g: { key: { sex: string } }) => g.key.sex === sex)
    expect(estimate).toBe(exact(own, 0.5, 'disc'))
  }
  const filtered = await put("SELECT QUANTILE_DISC(x, 0.5) FILTER (WHERE sex = 'F') FROM people WHERE x >= 5", plenty)
  expect(filtered.estimate).toBe(
    exact(
      rows.filter(({ sex, x }) => sex === 'F' && x !== null && x >= 5),
      0.5,
      'disc',
    ),
  )
})

test('a group without records is unknown, and does not blur the others', async () => {
  const { put } = await asking({ rows: table(400, 5), over, privacy: rich })
  // Noise makes records up where there are none once in 10^6 runs.
  const sure = { epsilon: 10, confidence: 0.999999 }
  const { groups } = await put('SELECT sex, MEDIAN(x) FROM people GROUP BY sex', sure)
  const [female, , none] = groups
  expect(none).toMatchObject({ key: { sex: 'X' }, estimate: null, interval: [0, 59], within: null })
  expect(female.within).toBeLessThan(12)
})

test('bins are told by their edges, dates as dates, and the spread as arithmetic', async () => {
  const rows = table(400, 6)
  const { put } = await asking({ rows, over, privacy: rich })
  const sorted = rows.map(({ fare }) => fare).sort((a, b) => a - b)
  const { estimate, interval } = await put('SELECT MEDIAN(fare) FROM people', plenty)
  const bin = 10 * Math.floor(sorted[200]! / 10)
  expect(interval).toEqual([bin, bin + 10])
  expect(Math.abs(estimate - sorted[200]!)).toBeLessThan(3)
  const days = rows.map(({ born }) => born).sort()
  const dated = await put('SELECT QUANTILE_DISC(born, 0.25) FROM people', plenty)
  expect(dated.dates.estimate.slice(0, 7)).toBe(days[99]!.slice(0, 7))
  expect(dated.dates.interval[0] <= days[99]! && dated.dates.interval[1] >= days[99]!).toBe(true)
  const iqr = 'SELECT QUANTILE_DISC(x, 0.75) - QUANTILE_DISC(x, 0.25) FROM people'
  expect((await put(iqr, plenty)).estimate).toBe(exact(rows, 0.75, 'disc') - exact(rows, 0.25, 'disc'))
})

test('what was paid for is free, and so are its neighbours', async () => {
  const { put } = await asking({ rows: table(4000, 7), over })
  const bought = await put('SELECT MEDIAN(x) FROM people', { epsilon: 0.5 })
  expect(bought).toMatchObject({ kind: 'fresh', cost: { epsilon: 0.5 } })
  const again = await put('SELECT MEDIAN(x) FROM people', { free: true })
  expect(again).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  expect(again.within).toBeLessThanOrEqual(bought.within)
  const near = await put('SELECT QUANTILE_DISC(x, 0.5) FROM people', { within: bought.within + 2 })
  expect(near.cost.epsilon).toBe(0)
})

test('a precision is reached, at a price that falls with it', async () => {
  const prices: number[] = []
  for (const within of [10, 2]) {
    const { put } = await asking({ rows: table(4000, 8), over })
    const answer = await put('SELECT MEDIAN(x) FROM people', { within })
    expect(answer.within).toBeLessThanOrEqual(within)
    prices.push(answer.cost.epsilon)
  }
  expect(prices[1]).toBeGreaterThan(prices[0]!)
})

test('counts, averages and quantiles in one statement share its price', async () => {
  const { put } = await asking({ rows: table(4000, 9), over })
  const { cost, answers } = await put('SELECT COUNT(*), AVG(x), MEDIAN(x), QUANTILE_DISC(x, 0.9) FROM people', {
    epsilon: 0.8,
  })
  expect(cost.epsilon).toBeLessThanOrEqual(0.8)
  expect(answers).toHaveLength(4)
  expect(Math.abs(answers[0].estimate - 4000)).toBeLessThan(100)
})

test('a price that cannot be paid in full is refused before the first step', async () => {
  const { put, book } = await asking({ rows: table(400, 3), over })
  await expect(put('SELECT MEDIAN(x) FROM people', { epsilon: 1.5 })).rejects.toMatchObject({ code: 'budget-exceeded' })
  expect(book.spent().epsilon).toBe(0)
})

test('a price that does not buy the precision buys the best answer that it can, all of it counted', async () => {
  const { put, book } = await asking()
  for (const maxEpsilon of [0.01, 0.1]) {
    const before = book.spent().epsilon
    const answer = await put('SELECT MEDIAN(age) FROM people', { within: 0.4, maxEpsilon })
    expect(answer.short).toBe(true)
    expect(answer.cost.epsilon).toBeLessThanOrEqual(maxEpsilon)
    // The first look alone is a 500th of it.
    expect(answer.cost.epsilon).toBeGreaterThan(0.02 * maxEpsilon)
    expect((book.spent().epsilon - before) / 1e12).toBeCloseTo(answer.cost.epsilon, 9)
  }
})

test('a group without records does not make the others dearer: its quantile is told as unknown', async () => {
  type Group = { readonly key: { readonly sex: string }; readonly interval: [number, number] }
  await usual(
    { rows: table(2000, 7), over, privacy: rich },
    async (put) => {
      const answer = await put('SELECT sex, MEDIAN(x) FROM people GROUP BY sex', { within: 3 })
      for (const { key, interval } of answer.groups)
        if (key.sex !== 'X') expect(interval[1] - interval[0]).toBeLessThanOrEqual(6)
      expect(answer.notes).toHaveLength(1)
      // Both others alone cost about 0.3; an empty group's median would cost all there is.
      expect(answer.cost.epsilon).toBeLessThan(3)
      return answer
    },
    // In one of forty asks noise looks like a few records at one end.
    ({ groups }) => `${groups.find(({ key }: Group) => key.sex === 'X').interval}` !== '0,59',
  )
})

test('where the budget ends the search, what was paid for is told as short', async () => {
  const { put, book } = await asking({ rows: table(60, 5), over })
  const answer = await put('SELECT MEDIAN(x) FROM people', { within: 0.4 })
  expect(answer.short).toBe(true)
  expect(book.spent().epsilon).toBeGreaterThan(0)
})
