import { rational } from '../../src/numeric/index.ts'
import { attribute, type Universe, universe } from '../../src/schema/index.ts'
import { asking } from './asking.ts'

/** A table and a question whose answer should hold the true quantile in 95% of all histories. */
export interface QuantileCase {
  readonly name: string
  readonly values: (random: () => number) => number[]
  readonly share: number
  readonly kind: 'cont' | 'disc'
  readonly how: Parameters<Awaited<ReturnType<typeof asking>>['put']>[1]
  /** Of the attribute; 60 unless said. */
  readonly codes?: number
  /** What was asked before. */
  readonly before?: readonly [sql: string, how: { epsilon: number }][]
}

const codes = 60
const over = (codes: number): Universe =>
  universe([
    attribute({ kind: 'integer', name: 'x', low: 0, high: codes - 1, closed: true }),
    attribute({ kind: 'values', name: 'sex', values: ['F', 'M', 'X'], other: false, closed: true }),
  ])
const spread =
  (n: number, at: (u: number) => number, size = codes) =>
  (random: () => number) =>
    Array.from({ length: n }, () => Math.min(size - 1, Math.max(0, Math.floor(at(random())))))

export const quantileCases: readonly QuantileCase[] = [
  { name: 'an even spread', values: spread(2000, (u) => 60 * u), share: 0.5, kind: 'cont', how: { epsilon: 0.1 } },
  { name: 'a skewed one', values: spread(2000, (u) => 60 * u ** 3), share: 0.25, kind: 'disc', how: { epsilon: 0.1 } },
  { name: 'few records', values: spread(12, (u) => 60 * u), share: 0.5, kind: 'cont', how: { epsilon: 0.5 } },
  { name: 'ties', values: spread(600, (u) => 20 * Math.floor(3 * u)), share: 0.5, kind: 'disc', how: { epsilon: 0.2 } },
  {
    name: 'a share that ends between two heavy atoms',
    values: () => Array.from({ length: 400 }, (_, i) => (i < 200 ? 17 : 18)),
    share: 0.5,
    kind: 'disc',
    how: { epsilon: 0.1 },
  },
  { name: 'a share near 0', values: spread(2000, (u) => 60 * u), share: 0.01, kind: 'disc', how: { epsilon: 0.2 } },
  {
    name: 'a share near 1',
    values: spread(2000, (u) => 60 * u ** 2),
    share: 0.99,
    kind: 'cont',
    how: { epsilon: 0.2 },
  },
  { name: 'a precision', values: spread(3000, (u) => 60 * u ** 2), share: 0.5, kind: 'cont', how: { within: 3 } },
  {
    name: 'a precision with a history',
    values: spread(3000, (u) => 60 * u),
    share: 0.5,
    kind: 'cont',
    how: { within: 3 },
    before: [['SELECT x, COUNT(*) FROM people GROUP BY x', { epsilon: 0.05 }]],
  },
  {
    name: 'a precision with a history that the price does not buy',
    values: spread(3000, (u) => 60 * u),
    share: 0.5,
    kind: 'cont',
    how: { within: 0.5, maxEpsilon: 0.05 },
    before: [['SELECT x, COUNT(*) FROM people GROUP BY x', { epsilon: 0.02 }]],
  },
  {
    name: 'free after another quantile was bought',
    values: spread(1000, (u) => 60 * u),
    share: 0.45,
    kind: 'cont',
    how: { free: true },
    before: [['SELECT MEDIAN(x) FROM people', { epsilon: 0.2 }]],
  },
  {
    name: 'free from a table of 1,000 values, looked at in levels',
    values: spread(3000, (u) => 1000 * u, 1000),
    codes: 1000,
    share: 0.5,
    kind: 'disc',
    how: { free: true },
    before: [['SELECT x, COUNT(*) FROM people GROUP BY x', { epsilon: 0.3 }]],
  },
  {
    name: 'a history that knows cuts far away much better',
    values: spread(6000, (u) => 60 * u),
    share: 0.5,
    kind: 'cont',
    how: { epsilon: 0.03 },
    before: ['', ' WHERE x < 10', ' WHERE x >= 50'].map((where) => [
      `SELECT COUNT(*) FROM people${where}`,
      { epsilon: 0.3 },
    ]),
  },
]

/** In how many of so many histories the interval holds the true quantile, in every group; and how wide it is. */
export async function quantileCoverage(of: QuantileCase, histories: number, random: () => number) {
  let [held, width] = [0, 0]
  const domain = over(of.codes ?? codes)
  for (let i = 0; i < histories; i++) {
    const values = of.values(random)
    const { put } = await asking({ rows: values.map((x, k) => ({ x, sex: k % 2 ? 'F' : 'M' })), over: domain })
    for (const [sql, how] of of.before ?? []) await put(sql, how)
    const sql = `SELECT PERCENTILE_${of.kind}(${of.share}) WITHIN GROUP (ORDER BY x) FROM people`
    const { interval } = await put(sql, of.how)
    const truth = quantileOf(values, of.share, of.kind)
    held += Number(interval[0] <= truth && truth <= interval[1])
    width += (interval[1] - interval[0]) / histories
  }
  return { held, width }
}

/** As PostgreSQL has it. */
export function quantileOf(
  values: readonly number[],
  share: number,
  kind: 'cont' | 'disc',
  descending = false,
): number {
  const sorted = values.toSorted((a, b) => (descending ? b - a : a - b))
  const p = rational(Math.round(share * 3000), 3000)
  const n = BigInt(sorted.length)
  if (kind === 'disc') {
    const place = (p.num * n + p.den - 1n) / p.den
    return sorted[Math.max(0, Number(place) - 1)]!
  }
  const [whole, rest] = [(p.num * (n - 1n)) / p.den, (p.num * (n - 1n)) % p.den]
  const [low, high] = [sorted[Number(whole)]!, sorted[Number(whole) + (rest > 0n ? 1 : 0)]!]
  return low + (Number(rest) / Number(p.den)) * (high - low)
}
