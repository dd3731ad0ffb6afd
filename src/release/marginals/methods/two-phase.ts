import { compare, divide, multiply, type Rational, rational, subtract, toNumber, zero } from '../../../numeric/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../closing.ts'
import { everywhere, type ReleaseMethod } from '../method.ts'
import { bestPrices, meanReciprocal } from '../oracle.ts'
import type { SettledRequest } from '../settled-request.ts'
import { costAt, equalNoise, partsOf, priceOf } from '../share.ts'
import { CombinedDraws } from './combined-draws.ts'

/**
 * A rough look with equal noise, then noise that suits what it showed (§3.2, §5.2); the answers of both are combined. The
 * second phase has all that the first one left.
 */
export const twoPhase: ReleaseMethod = {
  pays: ['epsilon', 'rho'],
  needs: { firstShare: true },
  keepsHold: false,
  firstLook: (request) => everywhere(firstNoise(request), request),
  plan(request, reciprocals) {
    const { unitNoises, price } = request
    const first = firstNoise(request)
    const left = subtract(price, costAt(first, unitNoises))
    return secondNoises(request, left, reciprocals).map((second) =>
      second ? [toNumber(first), toNumber(second)] : [toNumber(first)],
    )
  },
  async measure(request, { meter, universe, progress, signal }) {
    const { queries, floor } = request
    const first = firstNoise(request)
    const draws = await CombinedDraws.open(request, { meter, universe })
    const receipt = await closing(draws, async () => {
      for (const query of queries.keys()) {
        await stoppingPoint(signal)
        draws.draw(query, first)
      }
      progress?.(toNumber(firstShareOf(request)))
      const reciprocals = queries.map((_, j) => meanReciprocal(draws.values(j), floor))
      for (const [query, second] of secondNoises(request, draws.left, reciprocals).entries()) {
        await stoppingPoint(signal)
        if (second) draws.drawUnlessGuarded(query, second)
      }
      progress?.(1)
    })
    return { marginals: draws.marginals(), receipt }
  },
}

const firstNoise = (request: SettledRequest): Rational =>
  equalNoise(request.unitNoises, multiply(request.price, firstShareOf(request)))

/**
 * The noises of the second answers, for what is left; undefined for a marginal that gets none. Where answers add up, what a
 * marginal has in the first phase counts: one that has enough by then is not asked again.
 */
function secondNoises(
  request: SettledRequest,
  left: Rational,
  reciprocals: readonly number[],
): (Rational | undefined)[] {
  const { unitNoises, noise, price } = request
  const shares = unitNoises.map((unit, j) => noise.bestShare(toNumber(unit), reciprocals[j]!))
  const spent = unitNoises.map((unit) => toNumber(priceOf(unit, firstNoise(request))))
  const missing = () => bestPrices(shares, toNumber(price), spent).map((best, j) => best - spent[j]!)
  return partsOf(left, noise.addsUp ? missing() : shares).map((part, j) =>
    compare(part, zero) > 0 ? divide(unitNoises[j]!, part) : undefined,
  )
}

/** Of Laplace noise as in the paper's experiments: about what suits the census. Of Gaussian noise the first look is not lost. */
const firstShareOf = ({ firstShare, marginals, noise }: SettledRequest): Rational =>
  firstShare ??
  (noise.addsUp
    ? rational(1, 4)
    : marginals.every(({ length }) => length === 1)
      ? rational(7, 100)
      : rational(25, 1000))
