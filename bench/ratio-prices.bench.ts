// What averages and other ratios cost within a half-width, over the least ε that buys this half-width with --epsilon, on fresh ledgers.
// The answer's noise decides what is paid: medians of so many asks, with the quartiles.
import { memoryEngine, seededBits } from '../src/evaluation/index.ts'
import { rational } from '../src/numeric/index.ts'
import { attribute, universe } from '../src/schema/index.ts'
import { asking } from '../test/support/asking.ts'
import { promise } from '../test/support/metered.ts'
import { median, report } from './harness.ts'

const [asks, asksOfSearch] = [41, 15]
const bar = 1.3
const privacy = { ...promise, epsilon: rational(1000) }
const over = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: 80, closed: true }),
  attribute({ kind: 'integer', name: 'fare', low: 0, high: 100, closed: true }),
  attribute({ kind: 'integer', name: 'party', low: 1, high: 8, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
])

function rowsOf(count: number) {
  const { uniform } = seededBits(count)
  const random = () => Math.max(uniform(), 1e-12)
  const sum = (n: number) => Array.from({ length: n }, random).reduce((a, b) => a + b, 0)
  return Array.from({ length: count }, () => ({
    age: Math.round(80 * (sum(3) / 3) * 0.75),
    fare: Math.min(100, Math.round(-30 * Math.log(random()))),
    party: 1 + Math.floor(3 * random() ** 2),
    member: random() < 0.38,
  }))
}

const questions = [
  ['AVG(age)', 'SELECT AVG(age) FROM people', 2, 0.1],
  ['a share', 'SELECT 1.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) FROM people', 0.1, 0.01],
  ['AVG(age) WHERE', 'SELECT AVG(age) FROM people WHERE member', 3, 0.2],
  ['a ratio of sums', 'SELECT 1.0 * SUM(fare) / SUM(party) FROM people', 2, 0.1],
  [
    'a share in %, WHERE',
    'SELECT 100.0 * COUNT(*) FILTER (WHERE age < 30) / COUNT(*) FROM people WHERE member',
    10,
    0.5,
  ],
] as const

const figures: Parameters<typeof report>[1][number][] = []
for (const [count, place] of [
  [891, 2],
  [40_000, 3],
] as const) {
  // Read once: that takes ten times as long as a question.
  const source = memoryEngine({ rows: rowsOf(count), universe: over })
  const fingerprint = source.full()
  const known = { ...source, full: () => fingerprint }
  const put = async (sql: string, how: { within: number } | { epsilon: number }) =>
    (await asking({ source: known, over, privacy })).put(sql, how)
  for (const question of questions) {
    const [name, sql] = question
    const within = question[place]
    const paid: number[] = []
    let short = 0
    for (let i = 0; i < asks; i++) {
      const { cost, short: isShort } = await put(sql, { within })
      paid.push(cost.epsilon)
      if (isShort) short++
    }
    const least = await leastFor(within, (epsilon) => put(sql, { epsilon }))
    const sorted = paid.toSorted((a, b) => a - b).map((x) => x / least)
    const quartiles = [sorted[asks >> 2]!, sorted[(3 * asks) >> 2]!].map((x) => x.toFixed(2)).join(' … ')
    const mean = sorted.reduce((a, b) => a + b, 0) / asks
    const spread = `quartiles ${quartiles}, mean ${mean.toFixed(2)}, ${short} of ${asks} wider than asked`
    figures.push({
      what: `${name} ±${within}, ${count} rows: paid / least (ε ${least.toPrecision(2)}; ${spread})`,
      value: median(sorted),
      unit: '×',
      atMost: bar,
    })
  }
}

await report('prices of ratios', figures)

/** The least price whose answers have this half-width, in the median. */
async function leastFor(within: number, ask: (epsilon: number) => Promise<{ within: number | null }>): Promise<number> {
  let [low, high] = [1e-5, 10]
  for (let i = 0; i < 12; i++) {
    const epsilon = Math.sqrt(low * high)
    const widths: number[] = []
    for (let k = 0; k < asksOfSearch; k++) widths.push((await ask(epsilon)).within ?? Infinity)
    if (median(widths) <= within) high = epsilon
    else low = epsilon
  }
  return high
}
