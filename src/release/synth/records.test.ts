import { expect, test } from 'vitest'
import { one, rational } from '../../numeric/index.ts'
import { noiseDeviation } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import type { Purchase } from '../meter.ts'
import type { SynthContext } from './method.ts'
import { planRecords, settleRecords } from './records.ts'

const terms = {
  universe: universe([attribute({ kind: 'boolean', name: 'a', closed: true })]),
  unitNoise: () => one,
  distanceSensitivity: () => 1n,
}
const bought = { kind: 'bought', share: rational(1, 50) } as const

test('a number of records that would be noise alone is refused before it is bought', () => {
  const plan = (epsilon: number) => planRecords({ budget: { epsilon: rational(1, epsilon) }, records: bought }, terms)
  expect(plan(1000).steps).toHaveLength(1)
  expect(() => plan(1_000_000)).toThrow('noise of ±7.1e+7')
})

test.each([0, 0.5, 1e11])('there is no table of %d records', async (count) => {
  const request = { budget: { epsilon: one }, records: { kind: 'known', count } } as const
  await expect(settleRecords(request, terms as unknown as SynthContext)).rejects.toThrow('number of records')
})

/** A meter that says these numbers, one after the other, and notes what each cost. */
function meterSaying(...counts: number[]) {
  const scales: number[] = []
  const measure = async ([{ query, law }]: readonly [Purchase]) => {
    scales.push(noiseDeviation(law) / Math.SQRT2)
    return { measurements: [{ query, law, values: [BigInt(counts.shift()!)] }] }
  }
  return { context: { ...terms, meter: { measure } } as unknown as SynthContext, scales }
}

test('a number that noise might have made of nothing is bought again: a tenth in all', async () => {
  const { context, scales } = meterSaying(100, 300)
  const settled = await settleRecords({ budget: { epsilon: one }, records: bought }, context)
  // 2% and 8% of 1: scales of 50 and 12.5, nearly, as noise is in whole steps; so the second counts sixteen times as much.
  expect(scales).toEqual([50, 12.5].map((scale) => expect.closeTo(scale, 2)))
  expect(settled.count).toBeCloseTo((100 + 16 * 300) / 17, 1)
  expect(settled.budget).toEqual({ epsilon: rational(9, 10) })
  expect(settled.steps).toMatchObject([{ share: 0.1, count: 2 }])
})

test('a number that stands out is bought once', async () => {
  const { context, scales } = meterSaying(400)
  expect(await settleRecords({ budget: { epsilon: one }, records: bought }, context)).toMatchObject({ count: 400 })
  expect(scales).toHaveLength(1)
})
