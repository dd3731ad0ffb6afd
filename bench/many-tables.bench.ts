// Free answers after 10^4 filtered GROUP BYs of 100 groups, 10^6 noisy numbers. Bars: the first in 5 s, the next in 100 ms each,
// in 1 GB. And after all pairs of 14 attributes in coarse groups, beside their marginals, as `synth --method pairs` leaves them.
import { seededBits } from '../src/evaluation/index.ts'
import { errorLawByCharacteristic, type History, openHistory } from '../src/inference/index.ts'
import { one, rational } from '../src/numeric/index.ts'
import { answerSize, type Factor, type Indicator, type LinearQuery, marginal } from '../src/query/index.ts'
import { attribute, type Universe, universe } from '../src/schema/index.ts'
import { best, check, type Figure, peakMemory, report } from './harness.ts'

const { uniform } = seededBits(5)
const below = (n: number): number => Math.floor(uniform() * n)
const integers = (name: string, size: number) =>
  attribute({ kind: 'integer', name, low: 0, high: size - 1, closed: true })
const range = (size: number): Factor => {
  const [x, y] = [below(size), below(size)]
  return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }
}
const count = (factors: LinearQuery['terms'][number]['factors']): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors }],
  step: one,
})
function measure(history: History, over: Universe, id: number, query: LinearQuery): void {
  const values = Float64Array.from({ length: answerSize(query, over) }, () => below(1000))
  history.append({ id: `${id}.0`, query, law: { kind: 'laplace', scale: rational(10 + below(100)) }, values })
}

/** With everything that an interval needs. */
function ask(history: History, query: LinearQuery): boolean {
  const found = history.estimate(query)
  if (found.estimable)
    errorLawByCharacteristic(found.coefficients, { rounding: found.rounding.estimate }).halfWidth(0.95)
  return found.estimable
}
async function warm(history: History, questions: readonly LinearQuery[], isTold: boolean): Promise<number> {
  let next = 0
  const { milliseconds, value } = await best(() => ask(history, questions[next++ % questions.length]!), 9)
  check(value === isTold, `told should be ${isTold}`)
  return milliseconds
}
const timed = (run: () => unknown): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

const names = [...'abcdefgh']
const wide = universe(names.map((name) => integers(name, 100)))
function manyTables(): { history: History; tables: LinearQuery[] } {
  const history = openHistory(wide, { random: seededBits(9).uniform })
  const tables = Array.from({ length: 10_000 }, (): LinearQuery => {
    const [by, one, two] = [names[below(8)]!, names[below(8)]!, names[below(8)]!]
    const conditions = [...new Set([one, two])].filter((name) => name !== by).map((name) => [name, range(100)])
    const factors =
      conditions.length > 0 ? Object.fromEntries(conditions) : { [by]: { kind: 'interval', from: 0, to: 98 } }
    return { ...count(factors), by: [{ attribute: by }] }
  })
  for (const [i, table] of tables.entries()) measure(history, wide, i, table)
  return { history, tables }
}
/** Some groups of a table, together. */
function toldBy({ by, terms }: LinearQuery): LinearQuery {
  const { attribute: name } = by[0]!
  return count({ ...terms[0]!.factors, [name]: { kind: 'interval', from: 20, to: 59 } })
}

if (process.argv[2] === 'memory') {
  const { history, tables } = manyTables()
  for (const table of tables.slice(0, 10)) check(ask(history, toldBy(table)), 'a table tells its groups')
} else {
  const figures: Figure[] = []
  const what = (text: string) => `10^4 tables of 100 groups: ${text}`
  const { history, tables } = manyTables()
  const told = tables.filter(({ by, terms }) => !(by[0]!.attribute in terms[0]!.factors)).map(toldBy)
  figures.push({ what: what('the first answer'), value: timed(() => ask(history, told[0]!)), unit: 'ms', atMost: 5000 })
  figures.push({
    what: what('what a table tells'),
    value: await warm(history, told.slice(1), true),
    unit: 'ms',
    atMost: 100,
  })
  const one = Array.from({ length: 9 }, () => count({ a: range(100) }))
  figures.push({
    what: what('what several tell together'),
    value: await warm(history, one, true),
    unit: 'ms',
    atMost: 100,
  })
  const two = Array.from({ length: 9 }, () => count({ a: range(100), b: range(100), c: range(100), d: range(100) }))
  figures.push({ what: what('what they do not tell'), value: await warm(history, two, false), unit: 'ms', atMost: 100 })
  const { megabytes } = peakMemory(import.meta.filename, 'memory')
  figures.push({ what: what('memory'), value: megabytes, unit: 'MB', atMost: 1000 })

  const sizes = [85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2]
  const over = universe(sizes.map((size, i) => integers(`x${i}`, size)))
  const pairs = openHistory(over, { random: seededBits(9).uniform })
  const coarse = (place: number) => {
    const [size, groups] = [sizes[place]!, Math.min(sizes[place]!, 3 + below(6))]
    const cut = (k: number) => Math.floor((k * size) / groups)
    const ranges = Array.from(
      { length: groups },
      (_, k): Indicator => ({ kind: 'interval', from: cut(k), to: cut(k + 1) - 1 }),
    )
    return { attribute: `x${place}`, groups: ranges }
  }
  for (const i of sizes.keys()) {
    measure(pairs, over, 1000 + i, marginal([`x${i}`]))
    for (let j = 0; j < i; j++) measure(pairs, over, 100 * i + j, { ...count({}), by: [coarse(j), coarse(i)] })
  }
  const question = count({ x8: { kind: 'interval', from: 1, to: 1 }, x13: { kind: 'interval', from: 1, to: 1 } })
  figures.push({
    what: '91 coarse pairs beside 14 marginals: the first answer',
    value: timed(() => check(ask(pairs, question), 'a pair is told')),
    unit: 'ms',
    atMost: 1000,
  })
  await report('Many tables', figures)
}
