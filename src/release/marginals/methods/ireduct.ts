import { laplaceVariance, toNumber } from '../../../numeric/index.ts'
import { answerSize, scaleAt } from '../../../query/index.ts'
import { closing } from '../closing.ts'
import { gridOf } from '../grid.ts'
import { watched } from '../guarded.ts'
import { inViewOfNoise } from '../reduce/in-view-of-noise.ts'
import { atTheirWord } from '../reduce/judge.ts'
import { OverallError } from '../reduce/overall-error.ts'
import { reduce } from '../reduce/reduce.ts'
import type { Measure } from './method.ts'
import { refuseStart } from './start.ts'

/**
 * Starts with much noise everywhere and takes it away where that lowers the overall error most for its price (§4.3,
 * §5.3).
 */
export const ireduct: Measure = async (job, { meter, universe, progress, signal }) => {
  refuseStart(job)
  const { queries, epsilon, floor, asPrinted } = job
  const grid = gridOf(job)
  const unitScales = job.unitScales.map(toNumber)
  const picker = new OverallError(
    queries.map((query, j) => ({ cells: answerSize(query, universe), floor, unitScale: unitScales[j]! })),
    asPrinted ? atTheirWord : inViewOfNoise,
  )
  const opened = await meter.openRun({ queries, grid, epsilon })
  const { run, isHeldBack } = watched(opened)
  const receipt = await closing(opened, () =>
    reduce({ run, grid, picker, epsilon: toNumber(epsilon), unitScales, pricesAddUp: true, progress, signal }),
  )
  const marginals = queries.map((query, j) => {
    const scale = toNumber(scaleAt(grid, run.level(j)))
    return {
      attributes: job.marginals[j]!,
      query,
      values: Float64Array.from(run.values(j), Number),
      scale,
      variance: laplaceVariance(scale),
      epsilon: unitScales[j]! / scale,
      heldBack: isHeldBack(j),
    }
  })
  return { marginals, receipt }
}
