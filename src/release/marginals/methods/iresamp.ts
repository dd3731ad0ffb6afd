import { divide, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { answerSize } from '../../../query/index.ts'
import { Combination } from '../combination.ts'
import { costAt } from '../job.ts'
import { meanReciprocal } from '../relative.ts'
import type { Measure } from './method.ts'
import { refuseStart } from './start.ts'

const two = rational(2)

/**
 * Like iReduct, but every answer is drawn afresh with half the noise of the one before, and all are combined (Appendix A).
 * A marginal that has come down to λ has cost u/λmax + 2u/λmax + … + u/λ = u·(2/λ - 1/λmax). Here to be compared with.
 */
export const iresamp: Measure = async (job, { meter, universe, progress }) => {
  refuseStart(job)
  const { queries, epsilon, start } = job
  const units = job.unitScales.map(toNumber)
  const draws = await meter.openDraws({ queries, epsilon })
  const combined = queries.map((query) => new Combination(answerSize(query, universe)))
  const scales: Rational[] = queries.map(() => start)
  // The drop of the expected error over the rise of the cost, up to a constant: halving λ brings λ/2 of noise less and
  // costs 2u/λ more.
  const urgency = new Float64Array(queries.length)
  const draw = (query: number, scale: Rational) => {
    combined[query]!.add(draws.draw({ query, scale }), toNumber(scale))
    scales[query] = scale
    urgency[query] = (meanReciprocal(combined[query]!.values, job.floor) * toNumber(scale) ** 2) / units[query]!
  }

  for (const query of queries.keys()) draw(query, start)
  const working = new Set(queries.keys())
  while (working.size > 0) {
    const query = mostUrgent(working, urgency)
    const scale = divide(scales[query]!, two)
    if (draws.allows([{ query, scale }])) draw(query, scale)
    else working.delete(query)
    progress?.(1 - working.size / queries.length)
  }

  const receipt = await draws.close()
  const marginals = queries.map((query, j) => ({
    attributes: job.marginals[j]!,
    query,
    values: combined[j]!.values,
    scale: toNumber(scales[j]!),
    variance: combined[j]!.variance,
    epsilon: 2 * toNumber(costAt(scales[j]!, [job.unitScales[j]!])) - toNumber(costAt(start, [job.unitScales[j]!])),
  }))
  return { marginals, receipt }
}

/** The first of the most urgent. */
function mostUrgent(working: ReadonlySet<number>, urgency: Float64Array): number {
  let best = -1
  for (const query of working) if (best < 0 || urgency[query]! > urgency[best]!) best = query
  return best
}
