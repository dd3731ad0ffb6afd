import { expect, test } from 'vitest'
import { mixedNoise, mostMissed } from '../support/mixed-noise.ts'

/** Some three minutes in all on two cores. */
const long = 1_800_000

test('4,000 histories with noise from 10^-3 to 10^15: told intervals hold, and nothing told is off', {
  timeout: long,
}, () => {
  const { told, missed, withheld, off, below } = mixedNoise(4000, [-3, 15], 11)
  expect(told).toBeGreaterThan(12_000)
  expect(missed).toBeLessThan(mostMissed(told))
  expect(off).toBeLessThan(20)
  expect(below).toBeLessThan(1e-9)
  expect(withheld).toBeLessThan(told / 20)
})

for (const low of [-3, -1, 0, 4, 11])
  test(`800 histories with noise from 10^${low} to 10^${low + 4}: nothing is withheld`, { timeout: long }, () => {
    const { told, missed, withheld, off, below } = mixedNoise(800, [low, low + 4], 12)
    expect(missed).toBeLessThan(mostMissed(told))
    expect(off).toBeLessThan(20)
    expect(below).toBeLessThan(1e-9)
    expect(withheld).toBe(0)
  })
