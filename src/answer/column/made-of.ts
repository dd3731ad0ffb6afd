import type { Source } from '../../inference/index.ts'
import { toNumber } from '../../numeric/index.ts'
import { describe, type Measurement } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { MadeOf } from '../answer.ts'
import type { KnownPart } from '../known/known-part.ts'

/** The measurements that parts were made of, in words; over the groups of a GROUP BY, means. */
export function madeOf(parts: readonly KnownPart[], names: readonly string[], book: Book): MadeOf[] {
  const measured = new Map(
    book.releases.flatMap(({ seq, measurements }) => measurements.map((m) => [m.id, { seq, measurement: m }] as const)),
  )
  return parts.flatMap((part, i) =>
    meansOf(part).map(({ id, weight, variance }) => {
      const { seq, measurement } = measured.get(id)!
      return {
        part: names[i]!,
        measurement: describe(measurement.query, book.universe),
        purchase: seq,
        weight: weight / stepOf(measurement),
        share: variance,
      }
    }),
  )
}

const stepOf = ({ query }: Measurement): number => toNumber(query.step)

/** Per measurement its mean weight, and the mean of its share of a group's variance. */
function meansOf({ values, sources }: KnownPart): Source[] {
  const sums = new Map<string, { weight: number; variance: number }>()
  for (let group = 0; group < values.length; group++) {
    const all = sources(group)
    const total = all.reduce((sum, { variance }) => sum + variance, 0)
    for (const { id, weight, variance } of all) {
      const sum = sums.get(id) ?? { weight: 0, variance: 0 }
      sum.weight += weight / values.length
      sum.variance += total > 0 ? variance / total / values.length : 0
      sums.set(id, sum)
    }
  }
  return Array.from(sums, ([id, sum]) => ({ id, ...sum })).sort((a, b) => b.variance - a.variance)
}
