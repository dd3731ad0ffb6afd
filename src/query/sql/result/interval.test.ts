import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rational } from '../../../numeric/index.ts'
import type { Expression } from '../statement.ts'
import { evaluate } from './evaluate.ts'
import { evaluateInterval } from './interval.ts'

const parts = 3
const number = fc.integer({ min: -60, max: 60 }).map((n) => rational(n, 4))
const bound = fc.option(number)
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'medium' },
    fc.nat(parts - 1).map((part): Expression => ({ kind: 'part', part })),
    number.map((value): Expression => ({ kind: 'constant', value })),
    fc
      .record({
        kind: fc.constantFrom('sum' as const, 'difference' as const, 'product' as const, 'quotient' as const),
        left: tie('expression'),
        right: tie('expression'),
      })
      .map((e): Expression => e),
    tie('expression').map((left): Expression => ({ kind: 'product', left, right: left })),
    tie('expression').map((of): Expression => ({ kind: 'root', of })),
    fc
      .tuple(tie('expression'), bound, bound)
      .filter(([, low, high]) => !low || !high || low.num * high.den <= high.num * low.den)
      .map(([of, low, high]): Expression => ({ kind: 'clip', of, low, high })),
  ),
}))
const box = fc
  .tuple(fc.integer({ min: -12, max: 12 }), fc.nat(8))
  .map(([low, width]) => ({ low: low / 2, high: (low + width) / 2 }))
const share = fc.integer({ min: 0, max: 16 }).map((n) => n / 16)

test('wherever the parts lie in their bounds, the value lies in the bounds of the expression', () => {
  let wide = 0
  let narrow = 0
  fc.assert(
    fc.property(
      expression,
      fc.array(box, { minLength: parts, maxLength: parts }),
      fc.array(fc.array(share, { minLength: parts, maxLength: parts }), { minLength: 20, maxLength: 20 }),
      (e, boxes, points) => {
        const { low, high } = evaluateInterval(e, boxes)
        if (Number.isFinite(low) && Number.isFinite(high)) narrow++
        else wide++
        const values = points.map((point) =>
          evaluate(
            e,
            boxes.map((b, i) => b.low + point[i]! * (b.high - b.low)),
          ),
        )
        expect(values.filter((value) => value < low || value > high)).toEqual([])
      },
    ),
    { numRuns: 3000, seed: 1 },
  )
  // Bounds of -∞ … ∞ would pass, so most must be finite.
  expect(narrow).toBeGreaterThan(wide)
})

const part = (n: number): Expression => ({ kind: 'part', part: n })
const ratio: Expression = { kind: 'quotient', left: part(0), right: part(1) }

test.each([
  ['a positive denominator', [1, 2], [2, 4], [0.25, 1]],
  ['a denominator that may be 0', [1, 2], [0, 4], [0.25, Number.POSITIVE_INFINITY]],
  ['a negative one that may be 0', [1, 2], [-4, 0], [Number.NEGATIVE_INFINITY, -0.25]],
  ['one that crosses 0', [1, 2], [-1, 4], [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]],
  ['a numerator that crosses 0', [-1, 2], [0, 4], [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]],
])('a ratio with %s', (_, top, bottom, expected) => {
  const bounds = [top, bottom].map(([low, high]) => ({ low: low!, high: high! }))
  expect(evaluateInterval(ratio, bounds)).toEqual({ low: expected[0], high: expected[1] })
})

test('what is known of an average narrows it', () => {
  const clipped: Expression = { kind: 'clip', of: ratio, low: rational(0), high: rational(10) }
  const bounds = [
    { low: 1, high: 2 },
    { low: -1, high: 4 },
  ]
  expect(evaluateInterval(clipped, bounds)).toEqual({ low: 0, high: 10 })
})

test('a ratio over 0 is NULL, also inside an average', () => {
  const clipped: Expression = { kind: 'clip', of: ratio, low: rational(0), high: rational(10) }
  expect(evaluate(clipped, [3, 0])).toBeNaN()
  expect(evaluate(clipped, [30, 2])).toBe(10)
})
