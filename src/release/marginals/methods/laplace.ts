import { laplaceVariance, toNumber } from '../../../numeric/index.ts'
import { everywhere, type ReleaseMethod } from '../method.ts'
import type { SettledRequest } from '../settled-request.ts'
import { equalScale, priceOf } from '../share.ts'

/** Equal scales for all (Dwork et al.; §2.2). */
export const laplace: ReleaseMethod = {
  needs: {},
  keepsHold: false,
  firstLook: (request) => everywhere(scaleOf(request), request),
  plan: (request) => everywhere([toNumber(scaleOf(request))], request),
  async measure(request, { meter, progress }) {
    const { queries, unitScales, marginals } = request
    const exact = scaleOf(request)
    const receipt = await meter.measure(queries.map((query) => ({ query, law: { kind: 'laplace', scale: exact } })))
    progress?.(1)
    const scale = toNumber(exact)
    const measured = queries.map((query, j) => ({
      attributes: marginals[j]!,
      query,
      values: Float64Array.from(receipt.measurements[j]!.values, Number),
      scale,
      variance: laplaceVariance(scale),
      epsilon: toNumber(priceOf(unitScales[j]!, exact)),
      // All are bought, or none.
      heldBack: false,
    }))
    return { marginals: measured, receipt }
  },
}

const scaleOf = ({ unitScales, epsilon }: SettledRequest) => equalScale(unitScales, epsilon)
