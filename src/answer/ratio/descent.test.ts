import { expect, test } from 'vitest'
import { asking } from '../../../test/support/asking.ts'
import { promise } from '../../../test/support/metered.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import { queryKey } from '../../query/index.ts'

const average = 'SELECT AVG(age) FROM people'
const privacy = { ...promise, epsilon: rational(10) }

/** What an average costs, and what its last noises cost by themselves. */
async function paid(): Promise<{ cost: number; last: number }> {
  const { put, book } = await asking({ privacy })
  const { cost, within } = await put(average, { within: 0.6 })
  expect(within).toBeLessThanOrEqual(0.6)
  const measurements = book.releases.flatMap((release) => release.measurements)
  const last = new Map(measurements.map((measurement) => [queryKey(measurement.query), measurement]))
  // A record adds up to 4.5 to the sum above the centre of 0 … 9, and 1 to the count.
  const prices = [...last.values()].map(({ query, law }) => {
    const most = query.terms.some(({ factors }) => Object.keys(factors).length > 0) ? 4.5 : 1
    return law.kind === 'laplace' ? most / (toNumber(law.scale) * toNumber(query.step)) : 0
  })
  return { cost: cost.epsilon, last: prices.reduce((a, b) => a + b, 0) }
}

test('looks and steps are refined, and so cost nothing: the last noises are all that is paid for', async () => {
  // A look that is far off makes a descent fail, once in 200 asks: four in a row have 10^-9.
  const asks = [await paid()]
  while (Math.abs(asks.at(-1)!.cost / asks.at(-1)!.last - 1) > 1e-6 && asks.length < 4) asks.push(await paid())
  expect(asks.at(-1)!.cost).toBeCloseTo(asks.at(-1)!.last, 6)
})

test('without a snapshot nothing is refined, and there is an answer all the same', async () => {
  const { put, book } = await asking({ privacy, unpinned: true })
  const { within } = await put(average, { within: 0.6 })
  expect(within).toBeGreaterThan(0)
  const charges = book.releases.flatMap((release) => release.charges)
  expect(charges.every(({ kind }) => kind === 'measurement')).toBe(true)
})

test('a limit ends the descent: the best that it buys is told as short', async () => {
  const { put } = await asking({ privacy })
  // Half of what it costs: the denominator would have to be off by 20 times its noise.
  const maxEpsilon = 0.035
  const { cost, within, short } = await put(average, { within: 0.6, maxEpsilon })
  expect(short).toBe(true)
  expect(cost.epsilon).toBeLessThanOrEqual(maxEpsilon)
  expect(cost.epsilon).toBeGreaterThan(0.5 * maxEpsilon)
  expect(within).toBeGreaterThan(0.6)
})
