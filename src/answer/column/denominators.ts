import { toNumber } from '../../numeric/index.ts'
import type { Expression, Factor, LinearQuery, Statement } from '../../query/index.ts'
import type { KnownPart } from '../known/known-part.ts'
import { affineOf } from './affine.ts'
import { boundsOf } from './bounds.ts'

type Sources = Omit<Parameters<typeof boundsOf>[2], 'statement'> & {
  readonly statement?: Pick<Statement, 'axes' | 'rows' | 'parts'>
}

/** Fewer records than this have no average: there may be none. */
const leastRecords = 1

/**
 * Whether a row of an expression may be a quotient over no records at all: the interval of one of the counts that it divides by begins below one
 * record. Noise then makes the quotient anything, and an interval of it, however narrow, would be about nothing.
 */
export function overNobody(e: Expression, parts: readonly KnownPart[], sources: Sources): (row: number) => boolean {
  const queries = sources.statement?.parts
  const counts = queries ? [...divisors(e)].filter((of) => isCount(of, queries)) : []
  const bounds = counts.map((of) => boundsOf(of, parts, sources))
  return (row) => bounds.some((of) => !(of(row).low >= leastRecords))
}

function* divisors(e: Expression): Generator<Expression> {
  if (e.kind === 'quotient') yield e.right
  if ('left' in e) {
    yield* divisors(e.left)
    yield* divisors(e.right)
  } else if ('of' in e) yield* divisors(e.of)
}

/** A number of records, as it is. */
function isCount(e: Expression, queries: Statement['parts']): boolean {
  const affine = affineOf(e)
  if (affine?.part === undefined || affine.times !== 1 || affine.offset !== 0) return false
  return countsRecords(queries[affine.part]!)
}

const countsRecords = ({ terms, step }: LinearQuery): boolean =>
  toNumber(step) === 1 &&
  terms.every(({ coefficient, factors }) => coefficient === 1 && Object.values(factors).every(isChoice))
const isChoice = ({ kind }: Factor): boolean => kind === 'interval' || kind === 'set'
