import { expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import type { Expression } from '../../query/index.ts'
import { affineOf } from './affine.ts'

const part = (i: number): Expression => ({ kind: 'part', part: i })
const constant = (n: number): Expression => ({ kind: 'constant', value: rational(n) })
const op = (kind: 'sum' | 'difference' | 'product' | 'quotient', left: Expression, right: Expression): Expression => ({
  kind,
  left,
  right,
})

test('multiples of one part plus constants are affine', () => {
  // 100 - (3·p + 1)/2
  const e = op(
    'difference',
    constant(100),
    op('quotient', op('sum', op('product', constant(3), part(4)), constant(1)), constant(2)),
  )
  expect(affineOf(e)).toEqual({ part: 4, times: -1.5, offset: 99.5 })
  expect(affineOf(constant(7))).toEqual({ times: 0, offset: 7 })
})

test('ratios, products and sums of parts, roots and clips are not', () => {
  for (const kind of ['sum', 'difference', 'product', 'quotient'] as const)
    expect(affineOf(op(kind, part(0), part(1)))).toBeUndefined()
  expect(affineOf(op('quotient', constant(1), part(0)))).toBeUndefined()
  expect(affineOf(op('quotient', part(0), constant(0)))).toBeUndefined()
  expect(affineOf({ kind: 'root', of: part(0) })).toBeUndefined()
  expect(affineOf({ kind: 'clip', of: part(0), low: null, high: null })).toBeUndefined()
})
