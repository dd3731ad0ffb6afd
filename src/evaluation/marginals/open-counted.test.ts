import { expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import { countAll, marginal } from '../../query/index.ts'
import { unitsToNumber } from '../../trusted/accounting/index.ts'
import { countMarginals } from './count.ts'
import { openCounted } from './open-counted.ts'
import { generatedTable } from './table.ts'

const counted = countMarginals(generatedTable(500, 3), [['gender'], ['gender', 'education']])
const open = () => openCounted(counted, { epsilon: rational(1000), neighbours: 'replace-one' })
// Noise of this scale is not 0 less often than once in 10^21 cells.
const hardly = { kind: 'laplace', scale: rational(1, 50) } as const

test('the meter sells the counts that were taken, at the price of a replaced record', async () => {
  const { book, context } = await open()
  const queries = counted.marginals.map(marginal)
  const { measurements } = await context.meter.measure(queries.map((query) => ({ query, law: hardly })))
  expect(measurements.map(({ values }) => values)).toEqual(counted.counts)
  expect(unitsToNumber(book.spent().epsilon)).toBeCloseTo(2 * 2 * 50, 9)
  expect(context.unitNoise(queries[0]!)).toEqual(rational(2))
})

test('the number of records is public, and nothing else is known', async () => {
  const { context } = await open()
  const { measurements } = await context.meter.measure([{ query: countAll, law: { kind: 'none' } }])
  expect([...measurements[0]!.values]).toEqual([500])
  await expect(context.meter.measure([{ query: marginal(['age']), law: hardly }])).rejects.toThrow('were counted')
})

test('the counts are not changed by what is done with them', async () => {
  const before = counted.counts.map((counts) => counts.slice())
  const { context } = await open()
  const run = await context.meter.openRun({
    queries: [marginal(['gender'])],
    grid: { first: rational(4), step: rational(1), count: 4 },
    epsilon: rational(2),
  })
  run.lower(0, 3)
  await run.close()
  expect(counted.counts).toEqual(before)
})
