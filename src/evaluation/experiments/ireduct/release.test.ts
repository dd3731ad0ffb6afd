import { expect, test } from 'vitest'
import { allWays } from '../../../release/index.ts'
import { countMarginals, errorOfZeros, smallTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import { errorLines, meanErrors } from './errors.ts'
import { type Name, names, printed, releaseAll } from './release.ts'

const table = smallTable(1, 2000)
const counted = countMarginals(table, allWays(table.universe, 2).slice(0, 6))
const setting = { epsilon: 1, floorShare: 1e-3, firstShare: 0.05 }
const all: readonly Name[] = [...names, printed]

test('every method releases every marginal, and the default ones are counts of n records', async () => {
  const made = await releaseAll(counted, setting, all, seededBits(1))
  expect([...made.keys()].sort()).toEqual([...all].sort())
  for (const tables of made.values()) expect(tables.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4])
  for (const table of made.get('default')!) {
    expect(table.every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
    expect(table.reduce((sum, count) => sum + count, 0)).toBe(2000)
  }
})

// 6 marginals with noise of scale n/10 = 200 cost 6·2/200 = 0.06.
test('who cannot start releases nothing, and the others do', async () => {
  const made = await releaseAll(counted, { ...setting, epsilon: 0.05 }, all, seededBits(1))
  expect([...made.keys()]).toEqual(['Oracle', 'TwoPhase', 'Laplace', 'fitted Laplace'])
  expect((await releaseAll(counted, { ...setting, epsilon: 0.07 }, all, seededBits(1))).size).toBe(all.length)
})

test('errors stand beside that of tables of zeros', async () => {
  const errors = await meanErrors([counted, counted], setting, seededBits(2))
  expect([...errors.keys()].sort()).toEqual([...errorLines].sort())
  expect(errors.get('zeros')).toBeCloseTo(errorOfZeros(counted.counts, 2), 12)
})
