import { censusUniverse, seededBits } from '../src/evaluation/index.ts'
import { one, rational } from '../src/numeric/index.ts'
import type { Factor, LinearQuery, Measurement } from '../src/query/index.ts'

const { attributes } = censusUniverse
export const { uniform } = seededBits(1)
export const below = (n: number): number => Math.floor(uniform() * n)
export const noise = (): number => Math.round(200 * (uniform() - 0.5))

/** A count over ranges of so many attributes. */
export function ranges(ways: number): LinearQuery {
  const chosen = new Set<number>()
  while (chosen.size < ways) chosen.add(below(attributes.length))
  const factors = [...chosen].map((place): [string, Factor] => {
    const { name, size } = attributes[place]!
    const [x, y] = [below(size), below(size)]
    return [name, { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }]
  })
  return { by: [], terms: [{ coefficient: 1, factors: Object.fromEntries(factors) }], step: one }
}
export const law = { kind: 'laplace', scale: rational(50) } as const
export const scalar = (query: LinearQuery, id: number): Measurement => ({
  id: `${id}.0`,
  query,
  law,
  values: Float64Array.of(100_000 + noise()),
})
