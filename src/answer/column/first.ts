import type { ErrorLaw } from '../../inference/index.ts'
import type { Statement } from '../../query/index.ts'
import type { KnownPart } from '../known/known-part.ts'
import { affineOf } from './affine.ts'
import { isNumber } from './interval.ts'

/** A law is looked at in so many places on each side. */
const places = 256
/** What is less likely than this is left out. */
const negligible = 1e-6

/**
 * How likely the row that ORDER BY … LIMIT 1 shows is the first in truth, given the estimates, if all numbers were as likely before any
 * answer. Told of a multiple of one count or sum; undefined for anything else.
 */
export function probabilityFirst(
  { orderBy, limit, offset = 0, rows, axes }: Statement,
  parts: readonly KnownPart[],
): ((row: number) => number) | undefined {
  const [order, another] = orderBy
  const affine = order && isNumber(order.by) ? affineOf(order.by) : undefined
  if (limit !== 1 || offset > 0 || another || rows || axes.length === 0 || affine?.part === undefined) return undefined
  const { values, errorLaw } = parts[affine.part]!
  const sign = Math.sign(affine.times) * (order!.descending ? 1 : -1)
  const laws = new Map<ErrorLaw, Law>()
  const lawAt = (group: number): Law => {
    const of = errorLaw(group)
    const known = laws.get(of) ?? lawOf(of)
    laws.set(of, known)
    return known
  }
  return (row) => {
    const [own, law] = [sign * values[row]!, lawAt(row)]
    const rivals = [...values.keys()].flatMap((other) => {
      const [lead, reach] = [own - sign * values[other]!, law.reach + lawAt(other).reach]
      return other === row || lead > reach ? [] : [{ lead, below: lawAt(other).below }]
    })
    let sum = 0
    for (let k = -places; k < places; k++) {
      const [from, to] = [(k * law.reach) / places, ((k + 1) * law.reach) / places]
      const mass = law.below(to) - law.below(from)
      sum += rivals.reduce((p, { lead, below }) => p * below(lead + (from + to) / 2), mass)
    }
    return Math.min(1, sum)
  }
}

/** How likely an error is below a number, between its places by straight lines. */
interface Law {
  readonly reach: number
  readonly below: (x: number) => number
}

function lawOf({ halfWidth, cdf }: ErrorLaw): Law {
  const reach = halfWidth(1 - negligible)
  if (reach === 0) return { reach: Number.MIN_VALUE, below: (x) => (x < 0 ? 0 : 1) }
  const table = Float64Array.from({ length: 2 * places + 1 }, (_, i) => cdf(((i - places) * reach) / places))
  table[0] = 0
  table[2 * places] = 1
  return {
    reach,
    below: (x) => {
      const at = Math.min(2 * places, Math.max(0, (x / reach + 1) * places))
      const i = Math.min(2 * places - 1, Math.floor(at))
      return table[i]! + (at - i) * (table[i + 1]! - table[i]!)
    },
  }
}
