import { attribute, universe } from '../../src/schema/index.ts'
import { asking } from './asking.ts'

const over = universe([
  attribute({ kind: 'integer', name: 'x', low: 0, high: 20, closed: true }),
  attribute({ kind: 'integer', name: 'y', low: 0, high: 30, closed: true }),
])
interface Pair {
  readonly x: number
  readonly y: number
}
type Shape = (random: () => number) => Pair
const whole = (value: number, most: number) => Math.min(most, Math.max(0, Math.floor(value)))

/** Tables whose lines rise, fall, are flat, and of few records. */
export const shapes: readonly { readonly name: string; readonly records: number; readonly of: Shape }[] = [
  { name: 'rising', records: 1000, of: (u) => ((x) => ({ x, y: whole(x + 10 * u(), 30) }))(whole(21 * u(), 20)) },
  { name: 'falling', records: 1000, of: (u) => ((x) => ({ x, y: whole(20 - x + 4 * u(), 30) }))(whole(21 * u(), 20)) },
  { name: 'flat', records: 1000, of: (u) => ({ x: whole(21 * u(), 20), y: whole(31 * u(), 30) }) },
  {
    name: 'few records',
    records: 30,
    of: (u) => ((x) => ({ x, y: whole(x + 5 * u(), 30) }))(whole(21 * u() ** 2, 20)),
  },
]

/** In how many of so many histories the interval of each of the four holds. */
export async function regressionCoverage(shape: (typeof shapes)[number], histories: number, random: () => number) {
  const held = [0, 0, 0, 0]
  for (let i = 0; i < histories; i++) {
    const rows = Array.from({ length: shape.records }, () => shape.of(random))
    const { put } = await asking({ rows: rows.map((row) => ({ ...row })), over })
    const sql = 'SELECT CORR(y, x), REGR_SLOPE(y, x), REGR_INTERCEPT(y, x), REGR_R2(y, x) FROM people'
    const { answers } = await put(sql, { epsilon: 0.5 })
    lineOf(rows).forEach((truth, k) => {
      const [low, high] = answers[k].interval
      held[k]! += Number((low ?? Number.NEGATIVE_INFINITY) <= truth && truth <= (high ?? Number.POSITIVE_INFINITY))
    })
  }
  return held
}

/** Correlation, slope, intercept, and the share of the variance that is explained. */
export function lineOf(rows: readonly Pair[]): number[] {
  const mean = (of: (row: Pair) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
  const [x, y] = [mean((row) => row.x), mean((row) => row.y)]
  const [xx, xy, yy] = [
    mean((row) => (row.x - x) ** 2),
    mean((row) => (row.x - x) * (row.y - y)),
    mean((row) => (row.y - y) ** 2),
  ]
  const r = xy / Math.sqrt(xx * yy)
  return [r, xy / xx, y - (xy / xx) * x, r * r]
}
