import { gaussianHalfWidth, gaussianPmf, laplaceHalfWidth, laplacePmf } from '../../numeric/index.ts'
import type { Law, Term } from './law.ts'

/**
 * The law of one noise times its coefficient on a grid: entry i is the probability of (i - middle) steps. Every value
 * goes to the nearest point, halves away from zero, so that the error made is as often up as down; tails beyond a
 * probability of `lost` are left out.
 */
export function massVector({ law, coefficient }: Term, step: number, lost: number): Float64Array {
  const a = Math.abs(coefficient) / step
  return law.kind === 'continuous-laplace' ? binned(a * law.scale, lost) : placed(law, a, lost)
}

/** Continuous Laplace of scale b, in steps, in bins of one step. The paper's length: 2b·ln(1/lost) + 1, made odd. */
function binned(b: number, lost: number): Float64Array {
  const reach = Math.ceil(b * Math.log(1 / lost))
  const v = new Float64Array(2 * reach + 1)
  // Pr(bin 0) = 1 - e^(-1/2b); Pr(bin k) = (e^(-(k-1/2)/b) - e^(-(k+1/2)/b))/2
  v[reach] = -Math.expm1(-0.5 / b)
  for (let k = 1; k <= reach; k++) {
    v[reach + k] = v[reach - k] = (-Math.exp(-(k - 0.5) / b) * Math.expm1(-1 / b)) / 2
  }
  return v
}

/** A law on the integers, each k at a·k steps. */
function placed(law: Exclude<Law, { kind: 'continuous-laplace' }>, a: number, lost: number): Float64Array {
  const laplace = law.kind === 'laplace'
  const last = laplace ? laplaceHalfWidth(law.scale, 1 - lost) : gaussianHalfWidth(law.variance, 1 - lost)
  const reach = Math.round(a * last)
  const v = new Float64Array(2 * reach + 1)
  for (let k = 0; k <= last; k++) {
    const p = laplace ? laplacePmf(law.scale, k) : gaussianPmf(law.variance, k)
    const at = Math.round(a * k)
    v[reach + at]! += p
    if (k > 0) v[reach - at]! += p
  }
  return v
}
