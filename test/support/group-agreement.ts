import { chanceOfGroupDisagreement, type Law, retellingsOf, sampler } from '../../src/inference/index.ts'
import { type LinearQuery, marginal } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'

export const townspeople = universe([
  attribute({ kind: 'integer', name: 'town', closed: true, low: 1, high: 30 }),
  attribute({ kind: 'integer', name: 'age', closed: true, low: 0, high: 3 }),
])
export const byTown = marginal(['town'])
const laplace = (scale: number): Law => ({ kind: 'laplace', scale })
const gaussian = (variance: number): Law => ({ kind: 'gaussian', variance })

interface Setting {
  readonly name: string
  readonly tables: readonly (readonly [query: LinearQuery, law: Law])[]
}
/** A table by town more than once, and one that is finer. */
export const settings: readonly Setting[] = [
  {
    name: 'two tables, Laplace',
    tables: [
      [byTown, laplace(10)],
      [marginal(['town', 'age']), laplace(4)],
    ],
  },
  {
    name: 'two tables, Gauss',
    tables: [
      [byTown, gaussian(100)],
      [byTown, gaussian(30)],
    ],
  },
  {
    name: 'three tables',
    tables: [
      [byTown, laplace(10)],
      [byTown, laplace(6)],
      [marginal(['age', 'town']), gaussian(20)],
    ],
  },
]

/** How likely so much disagreement is said to be, over and over: the last table has `more` records in some towns. */
export function chances(
  { tables }: Setting,
  runs: number,
  random: () => number,
  more = (_town: number) => 0,
): number[] {
  const draws = tables.map(([, law]) => sampler(law, random))
  const sizes = tables.map(([{ by }]) => (by.length === 1 ? 30 : 120))
  return Array.from({ length: runs }, () => {
    const noisy = tables.map(([query, law], i) => {
      const values = Float64Array.from({ length: sizes[i]! }, () => draws[i]!())
      // The first cells of a town, in either order of the attributes.
      if (i === tables.length - 1)
        for (let town = 0; town < 30; town++)
          values[query.by.length === 1 || query.by[0]!.attribute === 'age' ? town : 4 * town]! += more(town)
      return { query, law, values }
    })
    return chanceOfGroupDisagreement(retellingsOf(noisy, byTown, townspeople))!
  })
}
