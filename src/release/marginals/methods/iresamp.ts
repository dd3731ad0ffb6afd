import { compare, divide, type Rational, rational, subtract, toNumber } from '../../../numeric/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../closing.ts'
import { everywhere, type ReleaseMethod } from '../method.ts'
import { meanReciprocal } from '../oracle.ts'
import { UrgencyHeap } from '../reduce/heap.ts'
import { costAt, priceOf } from '../share.ts'
import { CombinedDraws } from './combined-draws.ts'
import { startScale } from './start.ts'

const half = (scale: Rational): Rational => divide(scale, rational(2))

/**
 * The drop of the expected error over the rise of the cost, up to a constant: halving λ brings λ/2 of noise less and
 * costs 2u/λ more.
 */
const urgencyOf = (reciprocal: number, scale: Rational, unitScale: Rational): number =>
  (reciprocal * toNumber(scale) ** 2) / toNumber(unitScale)

/**
 * Like iReduct, but every answer is drawn afresh with half the noise of the one before, and all are combined (Appendix
 * A). A marginal that has come down to λ has cost u/λmax + 2u/λmax + … + u/λ = u·(2/λ - 1/λmax). Here to be compared
 * with.
 */
export const iresamp: ReleaseMethod = {
  pays: ['epsilon'],
  needs: { records: true },
  keepsHold: false,
  firstLook: (request) => everywhere(startScale(request), request),
  plan(request, reciprocals) {
    const { unitNoises, price: epsilon } = request
    const start = startScale(request)
    const lists = unitNoises.map(() => [start])
    let left = subtract(epsilon, costAt(start, unitNoises))
    const urgency = (j: number) => urgencyOf(reciprocals[j]!, lists[j]!.at(-1)!, unitNoises[j]!)
    const working = new UrgencyHeap(Float64Array.from(lists, (_, j) => urgency(j)))
    while (working.size > 0) {
      const query = working.top
      const scale = half(lists[query]!.at(-1)!)
      const price = priceOf(unitNoises[query]!, scale)
      if (compare(price, left) <= 0) {
        lists[query]!.push(scale)
        left = subtract(left, price)
        working.change(urgency(query))
      } else working.drop()
    }
    return lists.map((list) => list.map(toNumber))
  },
  async measure(request, { meter, universe, progress, signal }) {
    const { queries, unitNoises, floor } = request
    const start = startScale(request)
    const draws = await CombinedDraws.open(request, { meter, universe })
    const scales = queries.map(() => start)
    const urgency = (j: number) => urgencyOf(meanReciprocal(draws.values(j), floor), scales[j]!, unitNoises[j]!)
    const receipt = await closing(draws, async () => {
      for (const query of queries.keys()) {
        await stoppingPoint(signal)
        draws.draw(query, start)
      }
      const working = new UrgencyHeap(Float64Array.from(scales, (_, j) => urgency(j)))
      while (working.size > 0) {
        await stoppingPoint(signal)
        const query = working.top
        const scale = half(scales[query]!)
        const isAffordable = compare(draws.price(query, scale), draws.left) <= 0
        if (isAffordable && draws.drawUnlessGuarded(query, scale)) {
          scales[query] = scale
          working.change(urgency(query))
        } else working.drop()
        progress?.(1 - working.size / queries.length)
      }
    })
    return { marginals: draws.marginals(), receipt }
  },
}
