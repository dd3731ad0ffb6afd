import { expect, test } from 'vitest'
import { one, rational } from '../../numeric/index.ts'
import { attribute, universe } from '../../schema/index.ts'
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
