import { toNumber } from '../../../numeric/index.ts'
import { type ReleaseMethod, withOneAnswer } from '../method.ts'
import { givenNoises } from './given-noises.ts'

/** Equal scales for all (Dwork et al.; §2.2), or prices as the weights say. All are bought, or none. */
export const laplace: ReleaseMethod = {
  pays: ['epsilon'],
  needs: { weights: true },
  keepsHold: false,
  firstLook: givenNoises,
  plan: (request) => givenNoises(request).map((scale) => [toNumber(scale)]),
  async measure(request, { meter, progress }) {
    const scales = givenNoises(request)
    const receipt = await meter.measure(
      request.queries.map((query, j) => ({ query, law: request.noise.law(scales[j]!) })),
    )
    progress?.(1)
    const answer = (j: number) => ({
      values: receipt.measurements[j]!.values,
      scale: toNumber(scales[j]!),
      heldBack: false,
    })
    return { marginals: withOneAnswer(request, answer), receipt }
  },
}
