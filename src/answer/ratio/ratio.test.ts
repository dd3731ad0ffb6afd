import { expect, test } from 'vitest'
import { errorLawByCharacteristic, varianceOfError } from '../../inference/index.ts'
import {
  gaussianHalfWidth,
  gaussianPmf,
  laplaceHalfWidth,
  laplacePmf,
  type Rational,
  rational,
  toNumber,
} from '../../numeric/index.ts'
import { type Expression, evaluate } from '../../query/index.ts'
import { boundOfNoises, interpolated } from '../known/joint.ts'
import { boundAt, type JointBound } from '../known/sectors.ts'
import type { DrawnTerm } from '../known/two-noises.ts'
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

/** Pr(the interval holds the exact ratio of two noisy numbers), added up over all noises but for 10^-10. */
function coverageOf([exact, laws, confidence]: Case, isNorm = false): number {
  const noises = laws.map((law) => ({ law, coefficient: 1, count: 1 })) as [DrawnTerm, DrawnTerm]
  const bound = isNorm ? asIfNorm(noises, confidence) : boundOfNoises([[noises[0]], [noises[1]]], confidence)
  const [above, below] = laws.map((law) => {
    const half =
      law.kind === 'laplace' ? laplaceHalfWidth(law.scale, 1 - 1e-10) : gaussianHalfWidth(law.variance, 1 - 1e-10)
    return Array.from({ length: 2 * half + 1 }, (_, i) => ({ noise: i - half, p: massOf(law, i - half) }))
  })
  let covered = 0
  for (const one of above!)
    for (const other of below!) {
      const found = fieller(ratioOf(plain)!, [exact[0] + one.noise, exact[1] + other.noise], bound)
      const value = exact[0] / exact[1]
      // Where nothing is kept, the quotient of two intervals is given; that it may hold the ratio is not counted.
      if (found && found.low <= value && value <= found.high) covered += one.p * other.p
    }
  return covered
}
/** Half-widths of a few directions with chords between them, as would be right for a norm. */
const asIfNorm = ([one, other]: readonly [DrawnTerm, DrawnTerm], confidence: number): JointBound => {
  const weighted = (x: Rational, y: Rational) => [
    { ...one, coefficient: toNumber(x) },
    { ...other, coefficient: toNumber(y) },
  ]
  return interpolated((x, y) => errorLawByCharacteristic(weighted(x, y)).halfWidth(confidence), {
    variances: { x: varianceOfError([one]), y: varianceOfError([other]) },
    box: { x: 1e9, y: 1e9 },
  })
}
const massOf = (law: Drawn, k: number) =>
  law.kind === 'laplace' ? laplacePmf(law.scale, k) : gaussianPmf(law.variance, k)
type Drawn = DrawnTerm['law']
type Case = readonly [exact: readonly [number, number], laws: readonly [Drawn, Drawn], confidence: number]
const laplace = (scale: number): Drawn => ({ kind: 'laplace', scale })
const gaussian = (variance: number): Drawn => ({ kind: 'gaussian', variance })

test.each<Case>([
  [[500, 100], [laplace(3), laplace(1 / 2)], 0.95],
  [[225, 100], [laplace(2), laplace(1)], 0.9],
])('noise of a few steps has no norm, and its intervals cover as often as is said: %j', (...one) => {
  expect(coverageOf(one, true)).toBeLessThan(one[2])
  expect(coverageOf(one)).toBeGreaterThanOrEqual(one[2])
})

test('on a grid of scales and ratios no interval covers less often than is said', () => {
  const laws = [laplace(1 / 2), laplace(1), laplace(3), gaussian(0.5), gaussian(6)]
  const ratios = [0, 1 / 3, 1, 2.25, 5, 17 / 3].map((r) => [Math.round(r * 120), 120] as const)
  for (const one of laws)
    for (const other of laws)
      for (const exact of ratios)
        for (const confidence of [0.9, 0.95])
          expect(coverageOf([exact, [one, other], confidence])).toBeGreaterThanOrEqual(confidence)
})
