// Best linear unbiased estimates from a long history. Bars: from 1,000 scalar answers in 10 ms, from 5,000 in 100 ms (the
// first, cold, in 4 s), from the 36 two-way marginals of the census in 5 ms (the first in 1 s), with 200 scalars beside
// them in 50 ms. Coefficients for the law of the error are included.
import { censusUniverse, generateCensus, seededBits } from '../src/evaluation/index.ts'
import { type Estimate, type History, openHistory } from '../src/inference/index.ts'
import { one } from '../src/numeric/index.ts'
import { combine, type LinearQuery, type Measurement, marginal } from '../src/query/index.ts'
import { attribute, type Universe, universe } from '../src/schema/index.ts'
import { best, check, type Figure, report } from './harness.ts'
import { below, law, noise, ranges, scalar } from './random-answers.ts'

const { attributes } = censusUniverse

const sum = (queries: readonly LinearQuery[]): LinearQuery => combine(queries.map((query) => ({ query, times: one })))

/** No other question tells this cell from its neighbours. */
const unasked: LinearQuery = {
  by: [],
  terms: [
    {
      coefficient: 1,
      factors: Object.fromEntries(attributes.map(({ name }) => [name, { kind: 'interval', from: 1, to: 1 }])),
    },
  ],
  step: one,
}

/** The estimate with everything that the law of its error needs. */
function ask(history: History, query: LinearQuery): Estimate {
  const estimate = history.estimate(query)
  if (estimate.estimable) check(estimate.coefficients.length > 0, 'an estimate is made of something')
  return estimate
}
async function warm(history: History, questions: readonly LinearQuery[], estimable: boolean): Promise<number> {
  let next = 0
  const { milliseconds, value } = await best(() => ask(history, questions[next++ % questions.length]!), 15)
  check(value.estimable === estimable, `estimable should be ${estimable}`)
  return milliseconds
}
function cold(history: History, query: LinearQuery): number {
  const start = performance.now()
  ask(history, query)
  return performance.now() - start
}

async function scalars(count: number, bars: { cold?: number; warm: number }): Promise<Figure[]> {
  const queries = Array.from({ length: count }, () => ranges(3))
  const history = openHistory(censusUniverse, { random: seededBits(9).uniform })
  for (const [i, query] of queries.entries()) history.append(scalar(query, i))
  const what = (text: string) => `${count.toLocaleString('en')} scalars: ${text}`
  const few = Array.from({ length: 7 }, () => sum([queries[below(count)]!, queries[below(count)]!]))
  const first = cold(history, few[0]!)
  const figures: Figure[] = [
    { what: what('the first estimate'), value: first, unit: 'ms', atMost: bars.cold },
    { what: what('an estimate'), value: await warm(history, few, true), unit: 'ms', atMost: bars.warm },
    { what: what('a question without an answer'), value: await warm(history, [unasked], false), unit: 'ms' },
  ]
  const start = performance.now()
  history.append(scalar(ranges(3), count))
  ask(history, few[0]!)
  figures.push({ what: what('one more answer and an estimate'), value: performance.now() - start, unit: 'ms' })
  const tried = await best(() => {
    const fork = history.fork()
    fork.append(scalar(ranges(3), count + 1))
    return ask(fork, few[0]!)
  }, 5)
  figures.push({ what: what('one more answer tried in a fork'), value: tried.milliseconds, unit: 'ms' })
  return figures
}

/** The first estimate where no query has a corner to itself, or none is simple. */
function hard(what: string, universe: Universe, queries: readonly LinearQuery[]): Figure {
  const history = openHistory(universe, { random: seededBits(9).uniform })
  for (const [i, query] of queries.entries()) history.append(scalar(query, i))
  return { what: `${what}: the first estimate`, value: cold(history, sum(queries.slice(0, 2))), unit: 'ms' }
}

const line = universe([attribute({ kind: 'integer', name: 'cell', low: 0, high: 499, closed: true })])
const table = (): LinearQuery => ({
  by: [],
  terms: [
    {
      coefficient: 1,
      factors: { cell: { kind: 'table', values: Array.from({ length: 500 }, () => below(21) - 10) } },
    },
  ],
  step: one,
})
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

function noisyMarginals(): Measurement[] {
  const { rows, columns } = generateCensus({ rows: 100_000, seed: 1 })
  return attributes.flatMap((a, i) =>
    attributes.slice(0, i).map((b, j) => {
      const values = Float64Array.from({ length: a.size * b.size }, noise)
      for (let row = 0; row < rows; row++) values[columns[j]![row]! * a.size + columns[i]![row]!]!++
      return { id: `m${j}.${i}`, query: marginal([b.name, a.name]), law, values }
    }),
  )
}

async function marginals(): Promise<Figure[]> {
  const history = openHistory(censusUniverse, { random: seededBits(9).uniform })
  const all = noisyMarginals()
  check(all.reduce((cells, { values }) => cells + values.length, 0) === 99_698, 'the marginals have other cells')
  for (const measurement of all) history.append(measurement)
  const questions = Array.from({ length: 7 }, () => ranges(2))
  const first = cold(history, questions[0]!)
  const alone = await warm(history, questions, true)
  for (let i = 0; i < 200; i++) history.append(scalar(ranges(1 + (i % 3)), i))
  const with200 = cold(history, questions[0]!)
  return [
    { what: '36 marginals: the first estimate', value: first, unit: 'ms', atMost: 1000 },
    { what: '36 marginals: an estimate', value: alone, unit: 'ms', atMost: 5 },
    { what: '36 marginals and 200 scalars: the first estimate', value: with200, unit: 'ms' },
    {
      what: '36 marginals and 200 scalars: an estimate',
      value: await warm(history, questions, true),
      unit: 'ms',
      atMost: 50,
    },
  ]
}

await report('Best linear unbiased estimates', [
  ...(await scalars(1000, { warm: 10 })),
  ...(await scalars(5000, { cold: 4000, warm: 100 })),
  ...(await marginals()),
  hard(
    '5,000 ranges over one attribute',
    censusUniverse,
    times(5000, () => ranges(1)),
  ),
  hard(
    '5,000 ranges over two attributes',
    censusUniverse,
    times(5000, () => ranges(2)),
  ),
  hard('1,000 tables over 500 cells', line, times(1000, table)),
])
