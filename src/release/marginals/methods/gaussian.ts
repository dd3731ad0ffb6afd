import { toNumber } from '../../../numeric/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../closing.ts'
import type { ReleaseMethod } from '../method.ts'
import { CombinedDraws } from './combined-draws.ts'
import { givenNoises } from './given-noises.ts'

/**
 * Every marginal once, with Gaussian noise: equal for all, or prices in ρ as the weights say. k marginals have noise ∝ √k, where
 * Laplace noise is ∝ k (docs/algorithms/gaussian-marginals.md).
 */
export const gaussian: ReleaseMethod = {
  pays: ['rho'],
  needs: { weights: true },
  keepsHold: false,
  firstLook: givenNoises,
  plan: (request) => givenNoises(request).map((variance) => [toNumber(variance)]),
  async measure(request, { meter, universe, progress, signal }) {
    const variances = givenNoises(request)
    const draws = await CombinedDraws.open(request, { meter, universe })
    const receipt = await closing(draws, async () => {
      for (const [query, variance] of variances.entries()) {
        await stoppingPoint(signal)
        draws.draw(query, variance)
        progress?.((query + 1) / variances.length)
      }
    })
    return { marginals: draws.marginals(), receipt }
  },
}
