import { toNumber } from '../../../numeric/index.ts'
import { answerSize, scaleAt } from '../../../query/index.ts'
import { closing } from '../closing.ts'
import { gridFrom } from '../grid.ts'
import { watched } from '../guarded.ts'
import { everywhere, type ReleaseMethod, withOneAnswer } from '../method.ts'
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
    const { queries, epsilon, floor } = request
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
    const answer = (j: number) => ({
      values: run.values(j),
      scale: toNumber(scaleAt(grid, run.level(j))),
      heldBack: isHeldBack(j),
    })
    return { marginals: withOneAnswer(request, answer), receipt }
  },
}
