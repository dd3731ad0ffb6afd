import fc from 'fast-check'
import { one } from '../../src/numeric/index.ts'
import { answerSize, type Factor, type Grouping, type Indicator, type LinearQuery } from '../../src/query/index.ts'
import type { Attribute, Universe } from '../../src/schema/index.ts'

const intervalOf = (size: number): fc.Arbitrary<Indicator> =>
  fc
    .tuple(fc.nat(size - 1), fc.nat(size - 1))
    .map(([a, b]) => ({ kind: 'interval', from: Math.min(a, b), to: Math.max(a, b) }))
const setOf = (size: number): fc.Arbitrary<Indicator> =>
  fc
    .uniqueArray(fc.nat(size - 1), { maxLength: 6 })
    .map((codes) => ({ kind: 'set', codes: codes.sort((a, b) => a - b) }))

const factorOf = ({ size }: Attribute): fc.Arbitrary<Factor> =>
  fc.oneof(
    intervalOf(size),
    setOf(size),
    fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: size, maxLength: size })
      .map((values): Factor => ({ kind: 'table', values })),
    fc
      .tuple(intervalOf(size), fc.integer({ min: -5, max: 5 }), fc.integer({ min: -90, max: 90 }), fc.boolean())
      .map(([i, slope, shift, square]): Factor => {
        const { from, to } = i as Extract<Indicator, { kind: 'interval' }>
        return { kind: 'value', slope, shift, power: square ? 2 : 1, from, to }
      }),
  )

/** Every code by itself, or disjoint runs of codes with gaps between them. */
const groupingOf = ({ name, size }: Attribute): fc.Arbitrary<Grouping> =>
  fc.oneof(
    fc.constant({ attribute: name }),
    fc.uniqueArray(fc.nat(size - 1), { minLength: 1, maxLength: 4 }).map((ends): Grouping => {
      const sorted = ends.sort((a, b) => a - b)
      const groups = sorted.map((end, i): Indicator => {
        const from = i === 0 ? Math.floor(end / 2) : sorted[i - 1]! + 1
        return i % 2 === 0 ? { kind: 'interval', from, to: end } : { kind: 'set', codes: [end] }
      })
      return { attribute: name, groups }
    }),
  )

const some = (u: Universe, most: number) => fc.shuffledSubarray([...u.attributes], { maxLength: most })

/** Queries with any factors, overlapping terms, any groups in any order; small enough to answer by hand. */
export const queryOver = (u: Universe): fc.Arbitrary<LinearQuery> => {
  const term = fc.tuple(fc.integer({ min: -4, max: 4 }), some(u, 3)).chain(([coefficient, attributes]) =>
    fc.tuple(...attributes.map(factorOf)).map((factors) => ({
      coefficient,
      factors: Object.fromEntries(attributes.map((a, i) => [a.name, factors[i]!])),
    })),
  )
  const by = some(u, 2).chain((attributes) => fc.tuple(...attributes.map(groupingOf)))
  return fc
    .record({ by, terms: fc.array(term, { maxLength: 3 }), step: fc.constant(one) })
    .filter((q) => answerSize(q, u) <= 10_000)
}
