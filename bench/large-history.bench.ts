// Questions after two tables of 10^5 cells each: an average by year and by day of the month, of dates by day over 120
// years. Bars: 5 s and 1 GB each, or the answer says that the history was not consulted.

import { rational } from '../src/numeric/index.ts'
import { attribute, universe } from '../src/schema/index.ts'
import { asking } from '../test/support/asking.ts'
import { integers } from '../test/support/estimates.ts'
import { promise } from '../test/support/metered.ts'
import { check, type Figure, report } from './harness.ts'

const over = universe([
  integers('a', 320),
  integers('b', 320),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1900-01-01',
    to: '2019-12-31',
    by: 'day',
    format: 'YYYY-MM-DD',
    closed: true,
  }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
  attribute({
    kind: 'decimal',
    name: 'income',
    low: rational(0),
    high: rational(200_000),
    step: rational(1000),
    closed: true,
  }),
])
const rows = Array.from({ length: 2000 }, (_, i) => ({
  a: i % 320,
  b: (7 * i) % 320,
  member: i % 2 === 0,
  born: `${1910 + (i % 90)}-0${1 + (i % 9)}-1${i % 10}`,
  income: (i * 997) % 200_000,
}))
const { put } = await asking({ over, rows, privacy: { ...promise, epsilon: rational(1000) } })
await put('SELECT a, b, COUNT(*) FROM people GROUP BY a, b', { epsilon: 1 })
await put('SELECT born, member, COUNT(*) FROM people GROUP BY born, member', { epsilon: 1 })

const figures: Figure[] = []
for (const [what, key] of [
  ['year', "date_trunc('year', born)"],
  ['day of the month', 'extract(day FROM born)'],
] as const)
  for (const how of [{ epsilon: 1 }, { free: true }] as const) {
    const start = performance.now()
    const answer = await put(`SELECT ${key}, AVG(income) FROM people GROUP BY 1`, how).catch(({ code }) => ({ code }))
    check(answer.groups?.length > 30 || answer.code === 'not-estimable', 'there is an answer, or a limit')
    const name = 'free' in how ? 'from the history' : 'bought'
    const said = answer.notConsulted || answer.code ? ', the history not consulted' : ''
    figures.push({
      what: `an average by ${what}, ${name}${said}`,
      value: performance.now() - start,
      unit: 'ms',
      atMost: 5000,
    })
  }
figures.push({ what: 'memory of all', value: process.resourceUsage().maxRSS / 1024, unit: 'MB', atMost: 1000 })
await report('After two tables of 10^5 cells', figures)
