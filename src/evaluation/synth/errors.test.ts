import { expect, test } from 'vitest'
import { some } from '../../../test/support/coded-people.ts'
import { countMarginals } from '../marginals/index.ts'
import { cuboidError } from './cuboid-error.ts'
import { squaredError } from './squared-error.ts'

test('errors of cuboids and of queries', () => {
  const exact = { ...countMarginals(some, [['rich'], []]), counts: [Float64Array.of(10, 20), Float64Array.of(30)] }
  expect(cuboidError(exact, [Float64Array.of(12, 16), Float64Array.of(31)])).toEqual({ mean: 2, largest: 3 })
  expect(squaredError([1, 2, 3], [1, 4, 0])).toBeCloseTo(13 / 3, 12)
})
