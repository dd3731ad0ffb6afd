import { expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import { seal } from '../exact/seal.ts'
import { addNoise } from './noise.ts'

const answers = Float64Array.from({ length: 500 }, (_, i) => i)
const noiseSize = (values: ArrayLike<number | bigint>) =>
  answers.reduce((sum, answer, i) => sum + Math.abs(Number(values[i]) - answer), 0) / answers.length

// Mean |noise| of 500 draws: 100 ± 4.5 for Laplace of scale 100, 80 ± 2.7 for σ = 100; half and double are beyond ten
// sd.
test('each law blurs by its own parameter, and none by nothing', () => {
  for (const law of [
    { kind: 'laplace', scale: rational(100) },
    { kind: 'gaussian', variance: rational(10_000) },
  ] as const) {
    const size = noiseSize(addNoise(seal(answers), law))
    expect(size).toBeGreaterThan(50)
    expect(size).toBeLessThan(200)
  }
  expect(addNoise(seal(answers), { kind: 'none' })).toEqual(answers)
})
