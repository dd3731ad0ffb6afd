import { one } from '../../../numeric/index.ts'
import type { Factor, LinearQuery } from '../../../query/index.ts'
import { problem, type Universe } from '../../../schema/index.ts'
import { refuseTooMany, refuseWays } from './limits.ts'
import { subsetCount, subsets } from './subsets.ts'

/** 1 on the first code, -1 on the second. */
const sign: Factor = { kind: 'table', values: [1, -1] }

/**
 * The parities of one to k binary attributes: how many records more have an even number of second values among them
 * than an odd number. They are the rows of the Hadamard matrix, and those of degree up to k determine all k-way marginals.
 */
export function parities(universe: Universe, degree: number): LinearQuery[] {
  const { attributes } = universe
  refuseNotBinary(universe)
  refuseWays(degree, attributes.length, 'the degree of parities')
  const degrees = Array.from({ length: degree }, (_, i) => i + 1)
  refuseTooMany(degrees.reduce((sum, k) => sum + subsetCount(attributes.length, k), 0))
  return degrees.flatMap((k) => {
    const axes = subsets(attributes.length, k)
    return Array.from({ length: axes.length / k }, (_, i) =>
      parity(Array.from(axes.subarray(i * k, (i + 1) * k), (axis) => attributes[axis]!.name)),
    )
  })
}

const parity = (names: readonly string[]): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors: Object.fromEntries(names.map((name) => [name, sign])) }],
  step: one,
})

/** The attributes whose parity a query is; undefined for any other query. */
export function parityOver(query: LinearQuery): string[] | undefined {
  const [term] = query.terms
  const isParity = query.by.length === 0 && query.terms.length === 1 && Object.values(term!.factors).every(isSign)
  return isParity && Object.keys(term!.factors).length > 0 ? Object.keys(term!.factors) : undefined
}

const isSign = (f: Factor): boolean => f.kind === 'table' && f.values.join() === '1,-1'

function refuseNotBinary({ attributes }: Universe): void {
  const wide = attributes.filter(({ size }) => size !== 2)
  if (wide.length === 0) return
  const names = wide.map(({ name }) => name)
  throw problem(
    'not-supported',
    `parities need attributes of two codes; ${names.slice(0, 5).join(', ')}${names.length > 5 ? `, … ${names.length - 5} more` : ''} ${names.length > 1 ? 'have others' : 'has others'}`,
    'A missing value is a code of its own unless the attribute is closed. Or ask for "2-way" instead.',
    { attributes: names },
  )
}
