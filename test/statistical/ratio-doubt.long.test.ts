import { expect, test } from 'vitest'
import { gaussianInflation, laplaceInflation } from '../../scripts/tables/ratio-doubt.ts'
import { inflations } from '../../src/answer/ratio/doubt.ts'

// The computation looks at a few errors of each kind and is about 1% off.
const near = 0.01

test.each(inflations.gaussian)(
  'Gaussian noise chosen on the way: at the doubt %d no more than %d times',
  (doubt, factor) => {
    expect(gaussianInflation(doubt)).toBeLessThanOrEqual(factor * (1 + near))
  },
)

test.each(inflations.laplace)(
  'Laplace noise chosen on the way: at the doubt %d no more than %d times',
  (doubt, factor) => {
    expect(laplaceInflation(doubt)).toBeLessThanOrEqual(factor * (1 + near))
  },
)
