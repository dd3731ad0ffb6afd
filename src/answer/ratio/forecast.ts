import { totalOf } from '../price/choice.ts'
import { type Cost, costOf } from '../price/cost.ts'
import type { RatioContext } from './context.ts'
import type { Sizes } from './sizes.ts'
import type { Stages } from './stages.ts'

/** A denominator is known if the standard deviation of its estimate is at most this fraction of it. */
const knownWithin = 0.15
/** The least and the most, as multiples of the likely price. */
const [least, most] = [0.6, 1.8]
const thousand = 1000

/** What a question will cost, as far as earlier answers say. */
interface Forecast {
  readonly least?: Cost
  readonly likely?: Cost
  /** No more than this is ever spent. */
  readonly most?: Cost
  readonly forThousand?: Cost
}

export function forecast({ needs, session }: RatioContext, stages: Stages, sizes: Sizes): Forecast {
  const found = needs.ratios.map((goal) => sizes.smallest(goal))
  const isKnown = found.every((of) => of && of.size < Infinity && of.deviation <= knownWithin * of.size)
  const parts = isKnown ? stages.all() : stages.all(thousand)
  if (!parts) return {}
  const { book } = session
  if (!isKnown) return { forThousand: rounded(costOf(totalOf(parts), book)) }
  const times = (by: number) => rounded(costOf(scaled(totalOf(parts), book.cap.rho === null ? by : by * by), book))
  return { least: times(least), likely: times(1), most: times(most) }
}

const scaled = ({ epsilon, rho }: ReturnType<typeof totalOf>, by: number) => ({
  epsilon: Math.round(epsilon * by),
  rho: Math.round(rho * by),
})
const rounded = (cost: Cost): Cost => ({ ...cost, epsilon: Number(cost.epsilon.toPrecision(3)) })
