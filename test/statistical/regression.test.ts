import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { asking } from '../support/asking.ts'
import { lineOf, regressionCoverage, shapes } from '../support/regression-coverage.ts'

const uniform = (seed: number) => {
  const bits = seededBits(seed)
  return () => bits.uint32() / 2 ** 32
}

// Of 20 histories 95% or more hold: fewer than 12 do once in 10^7 times at most.
test.each(shapes)('intervals of correlations and lines hold the true ones: $name', async (shape) => {
  for (const held of await regressionCoverage(shape, 20, uniform(1))) expect(held).toBeGreaterThanOrEqual(12)
})

test('without noise to speak of they are exact', async () => {
  const random = uniform(4)
  const rows = Array.from({ length: 50 }, () => shapes[0]!.of(random))
  const over = universe([
    attribute({ kind: 'integer', name: 'x', low: 0, high: 20, closed: true }),
    attribute({ kind: 'integer', name: 'y', low: 0, high: 30, closed: false }),
  ])
  const privacy = {
    unit: { kind: 'row' },
    neighbours: 'add-remove',
    epsilon: rational(8000),
    delta: rational(0),
    composition: 'pure',
  } as const
  const { put } = await asking({ rows: [...rows.map((row) => ({ ...row })), { x: 3, y: null }], over, privacy })
  const sql = 'SELECT CORR(y, x), REGR_SLOPE(y, x), REGR_INTERCEPT(y, x), REGR_R2(y, x) FROM people'
  const { answers } = await put(sql, { epsilon: 6000 })
  for (const [i, truth] of lineOf(rows).entries()) expect(answers[i].estimate).toBeCloseTo(truth, 6)
})
