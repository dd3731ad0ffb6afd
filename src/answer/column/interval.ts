import { gaussianHalfWidth, laplaceHalfWidth, toNumber } from '../../numeric/index.ts'
import type { Expression, LinearQuery, NoiseLaw } from '../../query/index.ts'

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

/** The parts that an expression uses. */
export function partsOf(e: Expression): Set<number> {
  switch (e.kind) {
    case 'constant':
      return new Set()
    case 'part':
      return new Set([e.part])
    case 'root':
    case 'clip':
      return partsOf(e.of)
    default:
      return partsOf(e.left).union(partsOf(e.right))
  }
}

/** What each of m intervals must hold so that all of them together hold with this confidence (Bonferroni). */
export const confidenceOfEach = (confidence: number, m: number): number => 1 - (1 - confidence) / Math.max(1, m)
