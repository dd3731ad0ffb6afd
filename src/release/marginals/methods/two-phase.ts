import { add, divide, laplaceScale, multiply, type Rational, subtract, toNumber, zero } from '../../../numeric/index.ts'
import { answerSize } from '../../../query/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../closing.ts'
import { Combination } from '../combination.ts'
import { unlessGuarded } from '../guarded.ts'
import { bestShare, meanReciprocal } from '../relative.ts'
import { equalScale, priceOf, shareOut } from '../share.ts'
import type { Measure } from './method.ts'

/**
 * A rough look at equal scales, then scales that suit what it showed (§3.2, §5.2); the answers of both are combined.
 * The second phase has all that the first one left of ε.
 */
export const twoPhase: Measure = async (job, { meter, universe, progress, signal }) => {
  const { queries, unitScales, epsilon } = job
  const first = equalScale(unitScales, multiply(epsilon, job.firstShare))
  const spent = unitScales.map((unit) => priceOf(unit, first))
  const draws = await meter.openDraws({ queries, epsilon })
  const combined = queries.map((query) => new Combination(answerSize(query, universe)))
  const draw = (query: number, scale: Rational) => {
    const answer = draws.draw({ query, scale })
    combined[query]!.add(answer, toNumber(scale))
    return answer
  }

  const heldBack = new Set<number>()
  const receipt = await closing(draws, async () => {
    for (const query of queries.keys()) {
      await stoppingPoint(signal)
      draw(query, first)
    }
    progress?.(toNumber(job.firstShare))
    const weights = combined.map(({ values }, j) =>
      bestShare(toNumber(unitScales[j]!), meanReciprocal(values, job.floor)),
    )
    const second = shareOut(subtract(epsilon, spent.reduce(add, zero)), weights)
    for (const [query, price] of second.entries()) {
      await stoppingPoint(signal)
      const scale = divide(unitScales[query]!, price)
      if (unlessGuarded(() => draw(query, scale))) spent[query] = add(spent[query]!, price)
      else heldBack.add(query)
    }
    progress?.(1)
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
