import { divide, multiply, type Rational, rational, subtract, toNumber } from '../../../numeric/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../closing.ts'
import { everywhere, type ReleaseMethod } from '../method.ts'
import { bestScales, bestShare, meanReciprocal } from '../oracle.ts'
import type { SettledRequest } from '../settled-request.ts'
import { costAt, equalScale, shareOut } from '../share.ts'
import { CombinedDraws } from './combined-draws.ts'

/**
 * A rough look at equal scales, then scales that suit what it showed (§3.2, §5.2); the answers of both are combined.
 * The second phase has all that the first one left of ε.
 */
export const twoPhase: ReleaseMethod = {
  needs: { firstShare: true },
  keepsHold: false,
  firstLook: (request) => everywhere(firstScale(request), request),
  plan(request, reciprocals) {
    const { unitScales, epsilon } = request
    const first = firstScale(request)
    const left = subtract(epsilon, costAt(first, unitScales))
    return bestScales(unitScales, reciprocals, left).map((second) => [toNumber(first), second])
  },
  async measure(request, { meter, universe, progress, signal }) {
    const { queries, unitScales, floor } = request
    const first = firstScale(request)
    const draws = await CombinedDraws.open(request, { meter, universe })
    const receipt = await closing(draws, async () => {
      for (const query of queries.keys()) {
        await stoppingPoint(signal)
        draws.draw(query, first)
      }
      progress?.(toNumber(firstShareOf(request)))
      const weights = unitScales.map((unit, j) => bestShare(toNumber(unit), meanReciprocal(draws.values(j), floor)))
      for (const [query, price] of shareOut(draws.left, weights).entries()) {
        await stoppingPoint(signal)
        draws.drawUnlessGuarded(query, divide(unitScales[query]!, price))
      }
      progress?.(1)
    })
    return { marginals: draws.marginals(), receipt }
  },
}

const firstScale = (request: SettledRequest): Rational =>
  equalScale(request.unitScales, multiply(request.epsilon, firstShareOf(request)))

/** As in the paper's experiments: about what suits the census. */
const firstShareOf = ({ firstShare, marginals }: SettledRequest): Rational =>
  firstShare ?? (marginals.every(({ length }) => length === 1) ? rational(7, 100) : rational(25, 1000))
