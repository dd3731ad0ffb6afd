import { laplaceVariance, toNumber } from '../../../numeric/index.ts'
import { answerSize, scaleAt } from '../../../query/index.ts'
import { closing } from '../closing.ts'
import { gridFrom } from '../grid.ts'
import { watched } from '../guarded.ts'
import { everywhere, type ReleaseMethod } from '../method.ts'
import { bestScales } from '../oracle.ts'
import { expectedUrgency } from '../reduce/expected-urgency.ts'
import { urgencyAsPrinted } from '../reduce/judge.ts'
import { OverallError } from '../reduce/overall-error.ts'
import { reduce } from '../reduce/reduce.ts'
import { startScale } from './start.ts'

/**
 * Starts with much noise everywhere and takes it away where that lowers the overall error most for its price (§4.3,
 * §5.3).
 */
export const ireduct: ReleaseMethod = {
  needs: { records: true },
  keepsHold: true,
  firstLook: (request) => everywhere(startScale(request), request),
  plan: (request, reciprocals) =>
    bestScales(request.unitScales, reciprocals, request.epsilon, startScale(request)).map((scale) => [scale]),
  async measure(request, { meter, universe, progress, signal }) {
    const { queries, epsilon, floor, marginals } = request
    const grid = gridFrom(startScale(request), request)
    const unitScales = request.unitScales.map(toNumber)
    const picker = new OverallError(
      queries.map((query, j) => ({ cells: answerSize(query, universe), floor, unitScale: unitScales[j]! })),
      request.asPrinted ? urgencyAsPrinted : expectedUrgency,
    )
    const opened = await meter.openRun({ queries, grid, epsilon })
    const { run, isHeldBack } = watched(opened)
    const receipt = await closing(opened, () =>
      reduce({ run, grid, picker, epsilon: toNumber(epsilon), unitScales, pricesAddUp: true, progress, signal }),
    )
    const measured = queries.map((query, j) => {
      const scale = toNumber(scaleAt(grid, run.level(j)))
      return {
        attributes: marginals[j]!,
        query,
        values: Float64Array.from(run.values(j), Number),
        scale,
        variance: laplaceVariance(scale),
        epsilon: unitScales[j]! / scale,
        heldBack: isHeldBack(j),
      }
    })
    return { marginals: measured, receipt }
  },
}
