import { gaussianHalfWidth, laplaceHalfWidth, toNumber } from '../../numeric/index.ts'
import type { Expression, LinearQuery, NoiseLaw, Operand } from '../../query/index.ts'

/**
 * Half the width, in the data's units, of the interval around a noisy answer that holds the exact one with at least
 * this confidence: by the exact tail of the discrete law.
 */
export function halfWidth({ query, law }: { query: LinearQuery; law: NoiseLaw }, confidence: number): number {
  switch (law.kind) {
    case 'laplace':
      return laplaceHalfWidth(toNumber(law.scale), confidence) * toNumber(query.step)
    case 'none':
      return 0
    case 'gaussian':
      return gaussianHalfWidth(toNumber(law.variance), confidence) * toNumber(query.step)
  }
}

/** Whether a row is sorted by a number of it, not by a key. */
export const isNumber = (of: Operand): of is Expression => of.kind !== 'key' && of.kind !== 'literal'

/** The parts that an expression uses. */
export function partsOf(e: Expression): Set<number> {
  switch (e.kind) {
    case 'constant':
    case 'quantile':
      return new Set()
    case 'part':
    case 'window-sum':
      return new Set([e.part])
    case 'window-rank':
      return e.by.reduce((parts, { by }) => parts.union(isNumber(by) ? partsOf(by) : new Set()), new Set<number>())
    case 'root':
    case 'clip':
      return partsOf(e.of)
    default:
      return partsOf(e.left).union(partsOf(e.right))
  }
}

/** What each of m intervals must hold so that all of them together hold with this confidence (Bonferroni). */
export const confidenceOfEach = (confidence: number, m: number): number => 1 - (1 - confidence) / Math.max(1, m)
