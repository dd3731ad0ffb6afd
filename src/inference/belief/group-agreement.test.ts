import { describe, expect, test } from 'vitest'
import { chances, settings } from '../../../test/support/group-agreement.ts'
import { seededBits } from '../../evaluation/index.ts'

// Three tables are left to the long tests.
describe.each(settings.slice(0, 2))('$name', (setting) => {
  const { uniform: random } = seededBits(11)
  const share = (level: number, of: readonly number[]) => of.filter((chance) => chance <= level).length / of.length

  test('of one law disagree as often as they are said to, over all groups', () => {
    const runs = 120
    const found = chances(setting, runs, random)
    // 5 standard deviations of a share; the seed is fixed.
    const spare = 5 * Math.sqrt((0.2 * 0.8) / runs)
    expect(share(0.2, found)).toBeLessThan(0.2 + spare)
    // Comparisons are nearly independent: little is lost by adding up their doubts.
    expect(share(0.2, found)).toBeGreaterThan(0.5 * 0.2 - spare / 2)
  })

  test('are found out where one group of thirty has changed, and where all have, a little', () => {
    expect(
      share(
        0.001,
        chances(setting, 20, random, (town) => (town === 7 ? 200 : 0)),
      ),
    ).toBeGreaterThan(0.9)
    expect(
      share(
        0.001,
        chances(setting, 20, random, () => 25),
      ),
    ).toBeGreaterThan(0.9)
    // A record or two in one group are not told from noise.
    expect(
      share(
        0.001,
        chances(setting, 20, random, (town) => (town === 7 ? 2 : 0)),
      ),
    ).toBeLessThan(0.1)
  })
})
