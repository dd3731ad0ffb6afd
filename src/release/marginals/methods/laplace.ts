import { toNumber } from '../../../numeric/index.ts'
import { everywhere, type ReleaseMethod, withOneAnswer } from '../method.ts'
import type { SettledRequest } from '../settled-request.ts'
import { equalScale } from '../share.ts'

/** Equal scales for all (Dwork et al.; §2.2). */
export const laplace: ReleaseMethod = {
  needs: {},
  keepsHold: false,
  firstLook: (request) => everywhere(scaleOf(request), request),
  plan: (request) => everywhere([toNumber(scaleOf(request))], request),
  async measure(request, { meter, progress }) {
    const exact = scaleOf(request)
    const scale = toNumber(exact)
    const receipt = await meter.measure(
      request.queries.map((query) => ({ query, law: { kind: 'laplace', scale: exact } })),
    )
    progress?.(1)
    // All are bought, or none.
    const answer = (j: number) => ({ values: receipt.measurements[j]!.values, scale, heldBack: false })
    return { marginals: withOneAnswer(request, answer), receipt }
  },
}

const scaleOf = ({ unitScales, epsilon }: SettledRequest) => equalScale(unitScales, epsilon)
