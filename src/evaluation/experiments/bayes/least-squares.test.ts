import { expect, test } from 'vitest'
import { denseEstimate } from '../../../inference/index.ts'
import { seededBits } from '../../seeded.ts'
import { LeastSquares } from './least-squares.ts'

test('agrees with the dense estimate of equal variances, also where rows repeat and lie in a small space', () => {
  const { uniform } = seededBits(3)
  const whole = () => Math.floor(3 * uniform())
  for (let round = 0; round < 30; round++) {
    const cells = 2 + Math.floor(6 * uniform())
    const fit = new LeastSquares()
    const rows: Float64Array[] = []
    const answers: number[] = []
    for (let k = 0; k < 12; k++) {
      const row = k % 4 === 3 ? rows[k - 1]! : Float64Array.from({ length: cells }, whole)
      if (row.every((value) => value === 0)) row[0] = 1
      rows.push(row)
      answers.push(100 * uniform())
      fit.append(row, answers.at(-1)!)
      const { coefficients } = denseEstimate({ rows, variances: rows.map(() => 1) }, row)!
      const dense = coefficients.reduce((sum, c, i) => sum + c * answers[i]!, 0)
      // Entries are small integers, so both lose a few digits of sixteen.
      expect(fit.estimate(row)).toBeCloseTo(dense, 7)
    }
  }
})
