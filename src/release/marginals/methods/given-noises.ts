import { divide, type Rational } from '../../../numeric/index.ts'
import { everywhere } from '../method.ts'
import type { SettledRequest } from '../settled-request.ts'
import { equalNoise, shareOut } from '../share.ts'

/** The noise of marginals that are measured once: prices as the weights say, or equal noise. */
export function givenNoises(request: SettledRequest): Rational[] {
  const { unitNoises, weights, price } = request
  if (!weights) return everywhere(equalNoise(unitNoises, price), request)
  return shareOut(price, weights).map((part, j) => divide(unitNoises[j]!, part))
}
