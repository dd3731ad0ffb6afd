import type { Rational } from '../../../numeric/index.ts'
import { type Bits, bernoulliExp, bernoulliExpBig } from '../../random/index.ts'

/** True with probability exp(less - rate·gap), for rate·gap ≥ less ≥ 0. */
type ExponentialCoin = (gap: number | bigint, less?: number) => boolean

/** In doubles where every product is a safe integer, else in BigInts. */
export function exponentialCoin({ num, den }: Rational, bits: Bits): ExponentialCoin {
  const [n, d] = [Number(num), Number(den)]
  const small = Number.isSafeInteger(n) && Number.isSafeInteger(d)
  return (gap, less = 0) => {
    if (small && typeof gap === 'number' && Number.isSafeInteger(n * gap) && Number.isSafeInteger(less * d))
      return bernoulliExp(n * gap - less * d, d, bits)
    return bernoulliExpBig(num * BigInt(gap) - BigInt(less) * den, den, bits)
  }
}
