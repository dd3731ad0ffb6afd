import { toNumber } from '../../numeric/index.ts'
import type { Measurement } from '../../query/index.ts'

/**
 * ln of how much likelier noisy answers are with these exact ones on the left than with those on the right: Laplace noise of
 * scale b loses a factor e^(1/b) per step, Gaussian noise e^(d²/2σ²) at distance d.
 */
export function evidenceOf(
  { law, values }: Pick<Measurement, 'law' | 'values'>,
  left: ArrayLike<number>,
  right: ArrayLike<number>,
): number {
  if (law.kind === 'none') throw new Error('what is sold has noise')
  const loss =
    law.kind === 'laplace'
      ? (distance: number) => Math.abs(distance) / toNumber(law.scale)
      : (distance: number) => distance ** 2 / (2 * toNumber(law.variance))
  return Array.from<number | bigint, number>(
    values,
    (v, i) => loss(Number(v) - right[i]!) - loss(Number(v) - left[i]!),
  ).reduce((sum, each) => sum + each)
}
