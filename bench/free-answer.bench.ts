// A free answer, estimate and interval, from a long history. Bars: from 1,000 scalar answers in 10 ms, from 5,000 in 100 ms
// after the first (the first, cold, in 4 s), from the 36 two-way marginals of the census in 5 ms (the first in 1 s), with
// 200 scalars beside them in 50 ms. bench/blue.bench.ts has the estimates alone.
import { censusUniverse, generateCensus, seededBits } from '../src/evaluation/index.ts'
import { errorLawByCharacteristic, type History, openHistory } from '../src/inference/index.ts'
import { one } from '../src/numeric/index.ts'
import { combine, type LinearQuery, marginal } from '../src/query/index.ts'
import { best, check, type Figure, report } from './harness.ts'
import { below, law, noise, ranges, scalar } from './random-answers.ts'

const { attributes } = censusUniverse

/** How many noises the estimate is made of, and the time of the estimate and of its interval. */
function answer(history: History, query: LinearQuery): { groups: number; estimate: number; interval: number } {
  const start = performance.now()
  const estimate = history.estimate(query)
  if (!estimate.estimable) throw new RangeError('the history tells this')
  const { coefficients } = estimate
  const between = performance.now()
  const width = errorLawByCharacteristic(coefficients).halfWidth(0.95)
  const end = performance.now()
  check(width > 0 && width < 4 * Math.sqrt(estimate.variance), 'an interval is a few deviations wide')
  return { groups: coefficients.length, estimate: between - start, interval: end - between }
}

async function figuresOf(
  name: string,
  history: History,
  questions: readonly LinearQuery[],
  bars: { readonly first?: number; readonly next: number },
): Promise<Figure[]> {
  const start = performance.now()
  answer(history, questions[0]!)
  const first = performance.now() - start
  let next = 0
  const times = 3 * questions.length
  const { milliseconds, value } = await best(() => answer(history, questions[next++ % questions.length]!), times)
  return [
    { what: `${name}: the first answer`, value: first, unit: 'ms', atMost: bars.first },
    { what: `${name}: an answer`, value: milliseconds, unit: 'ms', atMost: bars.next },
    {
      what: `  its interval, of ${value.groups.toLocaleString('en')} groups of noises`,
      value: value.interval,
      unit: 'ms',
    },
  ]
}

function scalars(count: number, bars: { first?: number; next: number }): Promise<Figure[]> {
  const queries = Array.from({ length: count }, () => ranges(3))
  const history = openHistory(censusUniverse, { random: seededBits(9).uniform })
  for (const [i, query] of queries.entries()) history.append(scalar(query, i))
  const any = () => ({ query: queries[below(count)]!, times: one })
  const questions = Array.from({ length: 7 }, () => combine([any(), any()]))
  return figuresOf(`${count.toLocaleString('en')} scalars`, history, questions, bars)
}

async function marginals(): Promise<Figure[]> {
  const { rows, columns } = generateCensus({ rows: 100_000, seed: 1 })
  const history = openHistory(censusUniverse, { random: seededBits(9).uniform })
  for (const [i, a] of attributes.entries()) {
    for (const [j, b] of attributes.slice(0, i).entries()) {
      const values = Float64Array.from({ length: a.size * b.size }, noise)
      for (let row = 0; row < rows; row++) values[columns[j]![row]! * a.size + columns[i]![row]!]!++
      history.append({ id: `m${j}.${i}`, query: marginal([b.name, a.name]), law, values })
    }
  }
  const questions = Array.from({ length: 7 }, () => ranges(2))
  const alone = await figuresOf('36 marginals', history, questions, { first: 1000, next: 5 })
  for (let i = 0; i < 200; i++) history.append(scalar(ranges(1 + (i % 3)), i))
  return [...alone, ...(await figuresOf('36 marginals and 200 scalars', history, questions, { next: 50 }))]
}

await report('Free answers, estimate and interval', [
  ...(await scalars(1000, { next: 10 })),
  ...(await scalars(5000, { first: 4000, next: 100 })),
  ...(await marginals()),
])
