import { toNumber } from '../../numeric/index.ts'
import type { Expression } from '../../query/index.ts'

/** An expression that is times·part + offset; part is undefined for a constant. */
export interface Affine {
  readonly part?: number
  readonly times: number
  readonly offset: number
}

/** The expression as a multiple of one part plus a constant; undefined if it is not one. */
export function affineOf(e: Expression): Affine | undefined {
  switch (e.kind) {
    case 'constant':
      return { times: 0, offset: toNumber(e.value) }
    case 'part':
      return { part: e.part, times: 1, offset: 0 }
    case 'root':
    case 'quantile':
    case 'window-sum':
    case 'window-rank':
    case 'clip':
      return undefined
    default: {
      const [left, right] = [affineOf(e.left), affineOf(e.right)]
      return left && right && joined[e.kind](left, right)
    }
  }
}

const isConstant = ({ part }: Affine) => part === undefined
const scaled = ({ part, times, offset }: Affine, by: number): Affine => ({
  part,
  times: times * by,
  offset: offset * by,
})
const added = (a: Affine, b: Affine): Affine | undefined =>
  isConstant(a) || isConstant(b)
    ? { part: a.part ?? b.part, times: a.times + b.times, offset: a.offset + b.offset }
    : undefined

const joined: {
  readonly [K in 'sum' | 'difference' | 'product' | 'quotient']: (a: Affine, b: Affine) => Affine | undefined
} = {
  sum: added,
  difference: (a, b) => added(a, scaled(b, -1)),
  product: (a, b) => (isConstant(b) ? scaled(a, b.offset) : isConstant(a) ? scaled(b, a.offset) : undefined),
  quotient: (a, b) => (isConstant(b) && b.offset !== 0 ? scaled(a, 1 / b.offset) : undefined),
}
