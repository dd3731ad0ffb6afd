import { expect, test } from 'vitest'
import { errorLawByCharacteristic } from '../../inference/index.ts'
import { densityOf } from './density.ts'

const errorLaw = errorLawByCharacteristic([{ law: { kind: 'laplace', scale: 10 }, coefficient: 1, count: 1 }])
const estimate = { estimate: 500, interval: [440, 560], within: 60 } as const

test('shares that are even, fall to both sides, and add up to what lies in the picture', () => {
  const { density } = densityOf(estimate, { part: 0, times: -2, offset: 0 }, { errorLaw, step: 1 }, 50)
  const { from, to, masses } = density!
  expect([from, to]).toEqual([404, 596])
  expect(masses).toHaveLength(50)
  for (let i = 0; i < 24; i++) {
    expect(masses[i]).toBeCloseTo(masses[49 - i]!, 12)
    expect(masses[i]).toBeLessThan(masses[i + 1]!)
  }
  // Beyond 48 steps: e^-4.8, less half of one step.
  expect(masses.reduce((a, b) => a + b)).toBeCloseTo(1 - Math.exp(-4.8), 2)
})

test('what is exact or unbounded has no picture', () => {
  const affine = { part: 0, times: 1, offset: 0 }
  for (const within of [0, null])
    expect(densityOf({ ...estimate, within }, affine, { errorLaw, step: 1 }, 50)).toEqual({})
})
