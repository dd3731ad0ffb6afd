import { rational } from '../../src/numeric/index.ts'
import { asking } from './asking.ts'
import { promise } from './metered.ts'

const gaussian = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }
const average = 'SELECT AVG(age) FROM people'
const share = 'SELECT 1.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) FROM people'
const ages = (n: number, age: (i: number) => number) =>
  Array.from({ length: n }, (_, i) => ({ age: age(i), member: i % 8 < 3 }))

/** Ratios that are wanted within a half-width. */
export const ratioCases = [
  {
    name: 'an average in the middle',
    privacy: promise,
    sql: average,
    rows: ages(600, (i) => i % 10),
    within: 0.4,
    exact: 4.5,
  },
  {
    name: "an average at its domain's end",
    privacy: promise,
    sql: average,
    rows: ages(600, () => 9),
    within: 0.4,
    exact: 9,
  },
  { name: 'a share within a tenth', privacy: promise, sql: share, rows: ages(400, () => 1), within: 0.1, exact: 3 / 8 },
  {
    name: 'an average with Gauss',
    privacy: gaussian,
    sql: average,
    rows: ages(600, (i) => i % 5),
    within: 0.4,
    exact: 2,
  },
]

/** How often an interval holds the exact ratio, and how often it is as narrow as was asked. */
export async function ratioCoverage(
  { privacy, sql, rows, within, exact }: (typeof ratioCases)[number],
  confidence: number,
  count: number,
) {
  let [right, narrow] = [0, 0]
  for (let i = 0; i < count; i++) {
    const { put } = await asking({ rows, privacy: { ...privacy, epsilon: rational(100) } })
    const { interval, within: half } = await put(sql, { within, confidence })
    if (interval[0] <= exact && exact <= interval[1]) right++
    if (half <= within) narrow++
  }
  return { right: right / count, narrow: narrow / count }
}
