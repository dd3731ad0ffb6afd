import { expect, test } from 'vitest'
import { ages, metered, people, promise } from '../../../../test/support/metered.ts'
import { one, rational, toNumber } from '../../../numeric/index.ts'
import { countAll, type LinearQuery, marginal, scaleAt } from '../../../query/index.ts'
import { scaleFor } from '../../../trusted/accounting/index.ts'
import { expectedUrgency } from './expected-urgency.ts'
import { OverallError } from './overall-error.ts'
import { reduce } from './reduce.ts'

/** The sum of all ages, in half years: a record weighs up to 18 steps. */
const sumOfAges: LinearQuery = {
  ...countAll,
  terms: [{ coefficient: 2, factors: { age: { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: 9 } } }],
  step: rational(1, 2),
}
const queries = [ages(0, 4), ages(5, 9), sumOfAges, marginal(['member'])]
/** Of counts 5; of the sum 100 years, which are 200 steps. */
const floors = [5, 5, 200, 5]
const grid = { first: rational(200), step: rational(1), count: 198 }
const epsilon = rational(1, 2)

async function lowered() {
  const { meter, book } = await metered()
  const unitScales = queries.map((query) => toNumber(scaleFor(query, one, { universe: people, privacy: promise })))
  const cells = [1, 1, 1, 3]
  const judged = queries.map((_, j) => ({ cells: cells[j]!, floor: floors[j]!, unitScale: unitScales[j]! }))
  const picker = new OverallError(judged, expectedUrgency)
  const run = await meter.openRun({ queries, grid, epsilon, analyst: null, statement: null })
  await reduce({ run, grid, picker, epsilon: toNumber(epsilon), unitScales })
  for (const query of queries.keys()) expect(run.allows(query, run.level(query) + 1)).toBe(false)
  const scales = queries.map((_, query) => toNumber(scaleAt(grid, run.level(query))))
  await run.close()
  return { scales, unitScales, spent: book.spent().epsilon }
}

test('any queries go down to what their records can pay: ranges that share nobody do not share a price', async () => {
  const { scales, unitScales, spent } = await lowered()
  expect(unitScales).toEqual([1, 1, 18, 1])
  expect(spent).toBeLessThanOrEqual(5e11)
  const [young, old, sum, member] = scales.map((scale, query) => unitScales[query]! / scale) as [
    number,
    number,
    number,
    number,
  ]
  // The oldest of either range, four and nine years old, weigh 8 and 18 in the sum.
  expect(young + (8 / 18) * sum + member).toBeLessThanOrEqual(0.5)
  expect(old + sum + member).toBeLessThanOrEqual(0.5)
  expect(young + old + sum + member).toBeGreaterThan(0.5)
})
