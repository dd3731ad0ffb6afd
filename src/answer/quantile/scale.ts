import { add, multiply, rational, toNumber } from '../../numeric/index.ts'
import {
  type Attribute,
  binEdge,
  type DateAttribute,
  dateOrdinal,
  daysAt,
  knownCodes,
  sumValue,
} from '../../schema/index.ts'

/** The numbers that the codes of an ordered attribute stand for. */
export interface Scale {
  /** The least and the greatest value of a code. Of dates: days, months or years since 1970, as the policy has them. */
  least(code: number): number
  greatest(code: number): number
  /** Whether values lie on a grid, so that an estimate is one of them; else it may lie anywhere within a code. */
  readonly isGrid: boolean
  /** What the numbers stand for, where they are dates: the first day of what they mean, and the last. */
  readonly days?: (value: number) => readonly [first: string, last: string]
}

export function scaleOf(a: Attribute): Scale {
  if (a.kind === 'date') return dateScale(a)
  if (a.kind === 'bins') {
    const edge = (i: number) => toNumber(binEdge(a, i))
    return { least: edge, greatest: (code) => edge(code + 1), isGrid: false }
  }
  const at =
    a.kind === 'decimal'
      ? (code: number) => toNumber(add(a.low, multiply(a.step, rational(code))))
      : (code: number) => toNumber(sumValue(a, code))
  return { least: at, greatest: at, isGrid: true }
}

function dateScale(a: DateAttribute): Scale {
  const first = dateOrdinal(a.from, a.by) - dateOrdinal('1970-01-01', a.by)
  const at = (code: number) => first + code
  const last = knownCodes(a) - 1
  const days = (value: number) => daysAt(a, Math.min(last, Math.max(0, Math.round(value) - first)))
  return { least: at, greatest: at, isGrid: true, days }
}
