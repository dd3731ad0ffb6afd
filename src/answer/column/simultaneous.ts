import { type Condition, type Operand, rowCount, type Statement } from '../../query/index.ts'
import { quantilesOf } from '../quantile/needs.ts'
import { confidenceOfEach, partsOf } from './interval.ts'

/**
 * Which rows are shown depends on their noise. Then an interval that holds for a row picked beforehand says too much
 * about the rows that came out on top, and only intervals that hold for all rows at once are honest.
 */
export function isPickedByNoise({ having, orderBy, limit, offset }: Statement): boolean {
  const cut = limit !== undefined || offset !== undefined
  return (having !== undefined && isNoisyCondition(having)) || (cut && orderBy.some(({ by }) => isNoisy(by)))
}

const isNoisy = (of: Operand): boolean =>
  of.kind !== 'key' && of.kind !== 'literal' && partsOf(of).size + quantilesOf(of).size > 0

function isNoisyCondition(c: Condition): boolean {
  switch (c.kind) {
    case 'compare':
      return isNoisy(c.left) || isNoisy(c.right)
    case 'is-null':
      return isNoisy(c.of)
    case 'not':
      return isNoisyCondition(c.of)
    default:
      return isNoisyCondition(c.left) || isNoisyCondition(c.right)
  }
}

/** What a single interval of the answer must hold with, so that all of them do together, shown or not (Bonferroni). */
export function confidenceOfInterval(statement: Statement, confidence: number, simultaneous: boolean): number {
  if (!simultaneous) return confidence
  const groups = rowCount(statement)
  const columns = statement.columns.filter(({ kind }) => kind === 'value').length
  return confidenceOfEach(confidence, groups * columns)
}
