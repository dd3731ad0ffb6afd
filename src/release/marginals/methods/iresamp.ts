import {
  add,
  compare,
  divide,
  laplaceScale,
  type Rational,
  rational,
  subtract,
  toNumber,
  zero,
} from '../../../numeric/index.ts'
import { answerSize } from '../../../query/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../closing.ts'
import { Combination } from '../combination.ts'
import { unlessGuarded } from '../guarded.ts'
import { UrgencyHeap } from '../reduce/heap.ts'
import { meanReciprocal } from '../relative.ts'
import { priceOf } from '../share.ts'
import type { Measure } from './method.ts'
import { refuseStart } from './start.ts'

const two = rational(2)

/**
 * Like iReduct, but every answer is drawn afresh with half the noise of the one before, and all are combined (Appendix
 * A). A marginal that has come down to λ has cost u/λmax + 2u/λmax + … + u/λ = u·(2/λ - 1/λmax). Here to be compared
 * with.
 */
export const iresamp: Measure = async (job, { meter, universe, progress, signal }) => {
  refuseStart(job)
  const { queries, epsilon, start } = job
  const units = job.unitScales.map(toNumber)
  const draws = await meter.openDraws({ queries, epsilon })
  const combined = queries.map((query) => new Combination(answerSize(query, universe)))
  const scales: Rational[] = queries.map(() => start)
  // Every record is in every marginal, so prices add up.
  let left = epsilon
  const spent = queries.map(() => zero)
  const price = (query: number, scale: Rational) => priceOf(job.unitScales[query]!, scale)
  // The drop of the expected error over the rise of the cost, up to a constant: halving λ brings λ/2 of noise less and
  // costs 2u/λ more.
  const urgency = new Float64Array(queries.length)
  const draw = (query: number, scale: Rational) => {
    const answer = draws.draw({ query, scale })
    combined[query]!.add(answer, toNumber(scale))
    scales[query] = scale
    spent[query] = add(spent[query]!, price(query, scale))
    left = subtract(left, price(query, scale))
    urgency[query] = (meanReciprocal(combined[query]!.values, job.floor) * toNumber(scale) ** 2) / units[query]!
    return answer
  }

  const heldBack = new Set<number>()
  const receipt = await closing(draws, async () => {
    for (const query of queries.keys()) {
      await stoppingPoint(signal)
      draw(query, start)
    }
    const working = new UrgencyHeap(urgency)
    while (working.size > 0) {
      await stoppingPoint(signal)
      const query = working.top
      const scale = divide(scales[query]!, two)
      const affordable = compare(price(query, scale), left) <= 0
      if (affordable && unlessGuarded(() => draw(query, scale))) working.change(urgency[query]!)
      else {
        if (affordable) heldBack.add(query)
        working.drop()
      }
      progress?.(1 - working.size / queries.length)
    }
  })
  const marginals = queries.map((query, j) => ({
    attributes: job.marginals[j]!,
    query,
    values: combined[j]!.values,
    scale: laplaceScale(combined[j]!.variance),
    variance: combined[j]!.variance,
    epsilon: toNumber(spent[j]!),
    heldBack: heldBack.has(j),
  }))
  return { marginals, receipt }
}
