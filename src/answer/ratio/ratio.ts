import { toNumber } from '../../numeric/index.ts'
import type { Expression } from '../../query/index.ts'
import { type Affine, affineOf } from '../column/affine.ts'

/** An expression that is times·(numerator / denominator) + offset, known to lie in low … high. */
export interface Ratio {
  readonly numerator: Multiple
  readonly denominator: Multiple
  readonly times: number
  readonly offset: number
  readonly low: number
  readonly high: number
}

type Multiple = Affine & { readonly part: number }

/** The expression as a quotient of two different parts, stretched, moved and clipped; undefined if it is not one. */
export function ratioOf(e: Expression): Ratio | undefined {
  switch (e.kind) {
    case 'constant':
    case 'part':
    case 'root':
    case 'quantile':
    case 'window-sum':
    case 'window-rank':
      return undefined
    case 'clip': {
      const of = ratioOf(e.of)
      const [low, high] = [e.low ? toNumber(e.low) : -Infinity, e.high ? toNumber(e.high) : Infinity]
      return of && { ...of, low: Math.max(of.low, low), high: Math.min(of.high, high) }
    }
    case 'quotient': {
      const [left, by] = [ratioOf(e.left), constantOf(e.right)]
      return left ? stretched(left, 1 / (by ?? 0)) : quotientOf(e.left, e.right)
    }
    case 'product': {
      const left = ratioOf(e.left)
      const [of, by] = left ? [left, constantOf(e.right)] : [ratioOf(e.right), constantOf(e.left)]
      return of && stretched(of, by ?? 0)
    }
    default: {
      const left = ratioOf(e.left)
      const sign = e.kind === 'sum' ? 1 : -1
      const [of, by] = left ? [left, constantOf(e.right)] : [ratioOf(e.right), constantOf(e.left)]
      if (!of || by === undefined) return undefined
      return left ? moved(left, sign * by) : moved(stretched(of, sign)!, by)
    }
  }
}

const constantOf = (e: Expression): number | undefined => {
  const affine = affineOf(e)
  return affine && affine.part === undefined ? affine.offset : undefined
}

function quotientOf(left: Expression, right: Expression): Ratio | undefined {
  const [numerator, denominator] = [affineOf(left), affineOf(right)]
  if (!isMultiple(numerator) || !isMultiple(denominator) || numerator.part === denominator.part) return undefined
  return { numerator, denominator, times: 1, offset: 0, low: -Infinity, high: Infinity }
}

const isMultiple = (of: Affine | undefined): of is Multiple => of?.part !== undefined && of.times !== 0

const moved = (r: Ratio, by: number): Ratio => ({ ...r, offset: r.offset + by, low: r.low + by, high: r.high + by })

function stretched(r: Ratio, by: number): Ratio | undefined {
  if (by === 0 || !Number.isFinite(by)) return undefined
  const [low, high] = by > 0 ? [r.low * by, r.high * by] : [r.high * by, r.low * by]
  return { ...r, times: r.times * by, offset: r.offset * by, low, high }
}
