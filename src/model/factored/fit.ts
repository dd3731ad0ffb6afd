import type { Universe } from '../../schema/index.ts'
import { queryTable } from '../dense/query-table.ts'
import { stepFactors } from '../dense/update-once.ts'
import type { NoisyAnswer } from '../fitted-model.ts'
import { replay } from '../replay.ts'
import type { Part } from './part.ts'

/** Whose table it is, and the number of its records. */
interface Whole {
  readonly universe: Universe
  readonly records: number
}

/** One step towards an answer, as MWEM does it. */
export function fitOnce(part: Part, answer: NoisyAnswer, { universe, records }: Whole): void {
  const query = queryTable(answer.query, universe)
  const place = part.placeOf(query.axes)
  const factors = stepFactors(query, place.marginal(records), answer, records)
  if (factors) place.multiply(factors)
}

/** Cells of cliques that a call may visit, about: what bounds the time of a round. */
const maxVisits = 1e7

/** Until the part agrees with all of its answers as well as noise allows. */
export function fitAgain(part: Part, whole: Whole): void {
  replay(part.answers, {
    universe: whole.universe,
    records: whole.records,
    placeOf: (axes) => part.placeOf(axes),
    maxVisits,
  })
}
