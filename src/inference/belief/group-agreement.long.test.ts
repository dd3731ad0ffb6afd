import { expect, test } from 'vitest'
import { chances, settings } from '../../../test/support/group-agreement.ts'
import { seededBits } from '../../evaluation/index.ts'

test.each(settings)('$name: noise alone is called a disagreement in one of a thousand cases at most', (setting) => {
  const runs = setting.tables.length > 2 ? 20_000 : 60_000
  const found = chances(setting, runs, seededBits(12).uniform)
  // Binomial: 4.89 standard deviations are one failure in 10^6 seeds.
  const spare = (level: number) => 4.89 * Math.sqrt((level * (1 - level)) / runs)
  for (const level of [0.1, 0.01, 0.001]) {
    const share = found.filter((chance) => chance < level).length / runs
    expect(share).toBeLessThan(level + spare(level))
    // And it is not idle: between half and all of what is allowed.
    expect(share).toBeGreaterThan(level / 2 - spare(level / 2))
  }
})

test.each(settings)('$name: a change of one group of thirty is found out, and a little one of all', (setting) => {
  const { uniform } = seededBits(13)
  const found = (more: (town: number) => number) =>
    chances(setting, 200, uniform, more).filter((chance) => chance < 0.001).length
  expect(found((town) => (town === 7 ? 200 : 0))).toBeGreaterThan(180)
  expect(found(() => 25)).toBeGreaterThan(180)
})
