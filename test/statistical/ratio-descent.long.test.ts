import { expect, test } from 'vitest'
import { descentInflation } from '../../scripts/tables/ratio-descent.ts'
import { inflations } from '../../src/answer/ratio/doubt.ts'
import { seededBits } from '../../src/evaluation/index.ts'

const draws = 20_000
const settings = [0.005, 0.02, 0.04, 0.08].flatMap((relative) =>
  [0.15, 0.6, 1.2].map((weight) => ({ relative, weight })),
)

// Draws are seeded, so this never fails by chance; a share of 20,000 draws is off by 4% of itself at a doubt of 0.03.
test.each(inflations.descent.slice(0, 4))(
  'both parts refined together: at the doubt %d no more than %d times',
  (doubt, factor) => {
    const { uniform } = seededBits(8)
    for (const setting of settings) {
      const { rule, worst } = descentInflation(doubt, setting, draws, uniform)
      expect(worst, JSON.stringify(setting)).toBeLessThanOrEqual(factor)
      expect(rule).toBeLessThanOrEqual(worst)
    }
  },
)
