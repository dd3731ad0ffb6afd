import { toNumber } from '../../numeric/index.ts'
import type { Factor, LinearQuery, Statement } from '../../query/index.ts'
import type { Estimate } from '../answer.ts'
import { affineOf } from './affine.ts'

/** What a sum over records lies between, whatever the records are. */
interface Possible {
  readonly low: number
  readonly high: number
}

/** Counts and sums of numbers that are not negative are not negative; and at most so many times a public number of records. */
function possibleOf({ terms, step }: LinearQuery, records: number): Possible {
  let most = 0
  for (const { coefficient, factors } of terms) {
    const ends = Object.values(factors).map(endsOf)
    if (coefficient < 0 || ends.some((of) => of === undefined || of.low < 0)) return { low: -Infinity, high: Infinity }
    most += ends.reduce((product, of) => product * of!.high, coefficient)
  }
  // Of nothing any number of records makes nothing.
  return { low: 0, high: most === 0 ? 0 : most * toNumber(step) * records }
}

function endsOf(factor: Factor): Possible | undefined {
  switch (factor.kind) {
    case 'value': {
      const { slope, shift, power, from, to } = factor
      const ends = [slope * from + shift, slope * to + shift]
      return Math.min(...ends) < 0 && power % 2 === 1
        ? undefined
        : { low: 0, high: Math.max(...ends.map(Math.abs)) ** power }
    }
    case 'table':
      return factor.values.reduce<Possible>(
        ({ low, high }, x) => ({ low: Math.min(low, x), high: Math.max(high, x) }),
        { low: 0, high: 0 },
      )
    default:
      return { low: 0, high: 1 }
  }
}

/**
 * Cuts off of an interval what is impossible for a multiple of one count or sum: that loses no coverage. The estimate stays as it is, as its
 * errors cancel in sums; so does the half-width that was bought.
 */
export function cutAtPossible({ parts }: Pick<Statement, 'parts'>, records: number) {
  return (e: Parameters<typeof affineOf>[0]): ((of: Estimate) => Estimate) => {
    const affine = affineOf(e)
    if (affine?.part === undefined || affine.times === 0) return (of) => of
    const { low, high } = possibleOf(parts[affine.part]!, records)
    const ends = [low, high].map((end) => affine.times * end + affine.offset).toSorted((a, b) => a - b)
    const cut = (end: number) => finite(Math.min(ends[1]!, Math.max(ends[0]!, end)))
    return (of) => ({ ...of, interval: [cut(of.interval[0] ?? -Infinity), cut(of.interval[1] ?? Infinity)] })
  }
}

const finite = (end: number): number | null => (Number.isFinite(end) ? end : null)
