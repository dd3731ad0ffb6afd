import { toNumber } from '../../../numeric/index.ts'
import { answerSize, scaleAt } from '../../../query/index.ts'
import { closing } from '../closing.ts'
import { gridFrom } from '../grid.ts'
import { watched } from '../guarded.ts'
import { everywhere, type ReleaseMethod, withOneAnswer } from '../method.ts'
import { bestPrices } from '../oracle.ts'
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
  pays: ['epsilon'],
  needs: { records: true },
  keepsHold: true,
  firstLook: (request) => everywhere(startScale(request), request),
  plan(request, reciprocals) {
    const units = request.unitNoises.map(toNumber)
    const shares = units.map((unit, j) => request.noise.bestShare(unit, reciprocals[j]!))
    const least = units.map((unit) => unit / toNumber(startScale(request)))
    return bestPrices(shares, toNumber(request.price), least).map((price, j) => [units[j]! / price])
  },
  async measure(request, { meter, universe, progress, signal }) {
    const { queries, price: epsilon, floor } = request
    const grid = gridFrom(startScale(request), request)
    const unitScales = request.unitNoises.map(toNumber)
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
