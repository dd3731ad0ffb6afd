import { expect, test } from 'vitest'
import { type Case, coverageOf, laplace } from '../../../test/support/summed-coverage.ts'
import { errorLawByCharacteristic } from '../../inference/index.ts'
import { rational, toNumber } from '../../numeric/index.ts'
import { type Expression, evaluate } from '../../query/index.ts'
import { interpolated } from '../known/joint.ts'
import { boundAt } from '../known/sectors.ts'
import { fieller } from './fieller.ts'
import { ratioOf } from './ratio.ts'

const part = (i: number): Expression => ({ kind: 'part', part: i })
const constant = (n: number): Expression => ({ kind: 'constant', value: rational(n) })
const op = (kind: 'sum' | 'difference' | 'product' | 'quotient', left: Expression, right: Expression): Expression => ({
  kind,
  left,
  right,
})
const clip = (of: Expression, low: number, high: number): Expression => ({
  kind: 'clip',
  of,
  low: rational(low),
  high: rational(high),
})
const plain = op('quotient', part(0), part(1))

test('stretched, moved and clipped quotients of two parts are ratios, with the value that they had', () => {
  const expressions = [
    plain,
    clip(op('sum', constant(50), plain), 0, 100),
    op('difference', constant(3), op('product', constant(2), clip(plain, -1, 4))),
    op('quotient', op('product', clip(plain, 0, 3), constant(-5)), constant(2)),
    op('quotient', op('sum', op('product', constant(2), part(0)), constant(1)), op('difference', part(1), constant(1))),
  ]
  for (const e of expressions)
    for (const values of [
      [7, 3],
      [-20, 4],
      [900, 5],
    ]) {
      const { numerator, denominator, times, offset, low, high } = ratioOf(e)!
      const [a, b] = [numerator, denominator].map((m) => m.times * values[m.part]! + m.offset)
      expect(Math.min(high, Math.max(low, times * (a! / b!) + offset))).toBeCloseTo(evaluate(e, values), 9)
    }
})

test('anything else is not', () => {
  const others = [
    part(0),
    op('sum', plain, part(0)),
    op('sum', plain, plain),
    op('product', plain, plain),
    op('quotient', constant(1), part(0)),
    op('quotient', part(0), part(0)),
    op('quotient', plain, constant(0)),
    op('product', plain, constant(0)),
    { kind: 'root', of: plain } as const,
  ]
  for (const e of others) expect(ratioOf(e)).toBeUndefined()
})

test('interpolated half-widths are those of the exact law, hardly wider', () => {
  const terms = (x: number, y: number) => [
    { law: { kind: 'laplace', scale: 500 } as const, coefficient: x, count: 1 },
    { law: { kind: 'laplace', scale: 10 } as const, coefficient: y, count: 1 },
  ]
  const exact = (x: number, y: number) => errorLawByCharacteristic(terms(x, y)).halfWidth(0.95)
  const bound = interpolated((x, y) => exact(toNumber(x), toNumber(y)), {
    variances: { x: 2 * 500 ** 2, y: 2 * 10 ** 2 },
    box: { x: 1e9, y: 1e9 },
  })
  for (const [x, y] of [
    [1, 0],
    [0, 1],
    [1, 40],
    [-1, 33],
    [2, -300],
    [-1, -7],
  ] as const) {
    const slow = exact(x, y)
    // The blur is a 100th of a standard deviation, 0.4% of the half-width, and need not be the same here and there.
    expect(boundAt(bound, { x, y })).toBeGreaterThan(0.996 * slow)
    expect(boundAt(bound, { x, y })).toBeLessThan(1.005 * slow)
  }
})

test('a denominator that may be 0 leaves a ratio its bounds only', () => {
  // |x| + 9|y|, of which ten sectors are the corners
  const wide = interpolated((x, y) => Math.abs(toNumber(x)) + 9 * Math.abs(toNumber(y)), {
    variances: { x: 1, y: 81 },
    box: { x: 1e9, y: 1e9 },
  })
  expect(fieller(ratioOf(plain)!, [100, 5], wide)).toEqual({ low: -Infinity, high: Infinity })
  // |100 - 20r| ≤ 1 + 9r
  const bounded = fieller(ratioOf(clip(plain, 0, 10))!, [100, 20], wide)!
  expect(bounded.low).toBeCloseTo(99 / 29, 9)
  expect(bounded.high).toBeCloseTo(101 / 11, 9)
  expect(fieller(ratioOf(clip(plain, 0, 5))!, [100, 20], wide)!.high).toBe(5)
  expect(fieller(ratioOf(clip(plain, 0, 1))!, [100, 20], wide)).toBeUndefined()
})

test.each<Case>([
  [[500, 100], [laplace(3), laplace(1 / 2)], 0.95],
  [[225, 100], [laplace(2), laplace(1)], 0.9],
])('noise of a few steps has no norm, and its intervals cover as often as is said: %j', (...one) => {
  expect(coverageOf(one, true)).toBeLessThan(one[2])
  expect(coverageOf(one)).toBeGreaterThanOrEqual(one[2])
})
