import type { Universe } from '../schema/index.ts'
import { combined } from './combined-answers.ts'
import { answersFrom, type QueryTable, queryTable, spreadOut } from './dense/query-table.ts'
import type { NoisyAnswer } from './fitted-model.ts'

/** Where a model holds what a query looks at. */
export interface AnswerPlace {
  /** Cells that a step visits. */
  readonly cells: number
  /** The numbers of records over the query's axes. */
  marginal(records: number): Float64Array
  multiply(factors: Float64Array): void
}

interface Replay {
  readonly universe: Universe
  readonly records: number
  readonly placeOf: (axes: readonly number[]) => AnswerPlace
  /** Cells that may be visited, about: what bounds the time of a round. */
  readonly maxVisits: number
}

const maxSweeps = 100
/** Fitting stops here: squared differences of half the noise's variance. A smaller share would fit more of the noise. */
const enough = 0.5
/** …or where a sweep takes away no more than this share of them: some noisy answers cannot be true, of any table. */
const leastGain = 1e-3
/** Exact answers agree within a thousandth of a record. */
const smallestVariance = 1e-6

/** Steps towards all answers, the latest first and again from there, until the model agrees with them as well as noise allows. */
export function replay(all: readonly NoisyAnswer[], { universe, records, placeOf, maxVisits }: Replay): void {
  const steps = combined(all)
    .reverse()
    .map((answer) => {
      const query = queryTable(answer.query, universe)
      return { answer, query, place: placeOf(query.axes) }
    })
  const answers = steps.reduce((sum, { query }) => sum + query.answers, 0)
  const visits = steps.reduce((sum, { place }) => sum + place.cells, 0)
  const sweeps = Math.min(maxSweeps, Math.ceil(maxVisits / visits))
  let before = Number.POSITIVE_INFINITY
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let misfit = 0
    for (const { answer, query, place } of steps) misfit += step(place, query, answer, records)
    if (misfit <= enough * answers || misfit > (1 - leastGain) * before) return
    before = misfit
  }
}

/**
 * MWEM's step with a length of its own for every answer: exp(q(x)·(m - q(A))/(V + σ²)), V what q varies by from one table of n records of the
 * model to another. Answers that are more precise than that are met, others move by the share that they deserve. Returns the squared differences
 * from before, over the noise's variance.
 */
function step(place: AnswerPlace, query: QueryTable, { values, variance }: NoisyAnswer, records: number): number {
  const counts = place.marginal(records)
  const now = answersFrom(query, counts)
  const noise = Math.max(variance, smallestVariance)
  const { spreads, most } = spreadsOf(query, counts, now, records)
  let misfit = 0
  for (let i = 0; i < now.length; i++) {
    const difference = values[i]! - now[i]!
    misfit += difference ** 2 / noise
    // At most a factor of e at once: far from the target the step is only a direction.
    now[i] = Math.max(-1 / most, Math.min(1 / most, difference / (spreads[i]! + noise)))
  }
  place.multiply(spreadOut(query, now).map(Math.exp))
  return misfit
}

/** Σ over the cells of count · weight², less what the total being known takes from it; and the largest |weight|. */
function spreadsOf(
  { place, weight, answers }: QueryTable,
  counts: Float64Array,
  now: Float64Array,
  records: number,
): { spreads: Float64Array; most: number } {
  if (!weight) return { spreads: counts, most: 1 }
  const spreads = new Float64Array(answers)
  let most = Number.MIN_VALUE
  for (let i = 0; i < counts.length; i++) {
    spreads[place![i]!]! += counts[i]! * weight[i]! ** 2
    most = Math.max(most, Math.abs(weight[i]!))
  }
  if (answers === 1) spreads[0] = Math.max(0, spreads[0]! - now[0]! ** 2 / records)
  return { spreads, most }
}
