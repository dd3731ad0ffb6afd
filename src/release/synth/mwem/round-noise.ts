import { divide, type Rational } from '../../../numeric/index.ts'
import { type LinearQuery, marginalOver, type NoiseLaw } from '../../../query/index.ts'
import type { SynthTerms } from '../method.ts'
import { meanNoise, varianceOf } from './noise.ts'

/** What an answer of a round is blurred with. */
export interface RoundNoise {
  readonly law: NoiseLaw
  readonly variance: number
  /** Mean absolute value, in steps. */
  readonly mean: number
}

/** What queries cost, each looked at once; all marginals of more than one cell cost the same. */
export class QueryCosts {
  readonly units: readonly Rational[]
  readonly sensitivities: readonly number[]

  constructor(queries: readonly LinearQuery[], { universe, unitNoise, distanceSensitivity }: SynthTerms) {
    let shared: { readonly unit: Rational; readonly moved: number } | undefined
    const size = (name: string) => universe.attributes[universe.index.get(name)!]!.size
    const costs = queries.map((query) => {
      const isMarginal = marginalOver(query)?.some((name) => size(name) > 1)
      if (isMarginal && shared) return shared
      const cost = { unit: unitNoise(query), moved: Number(distanceSensitivity(query)) }
      if (isMarginal) shared = cost
      return cost
    })
    this.units = costs.map(({ unit }) => unit)
    this.sensitivities = costs.map(({ moved }) => moved)
  }

  /** The noise of each query at this price. */
  at(price: Rational, currency: 'epsilon' | 'rho'): (place: number) => RoundNoise {
    const known = new Map<Rational, RoundNoise>()
    return (place) => {
      const unit = this.units[place]!
      const found = known.get(unit) ?? noiseFor(divide(unit, price), currency)
      known.set(unit, found)
      return found
    }
  }
}

function noiseFor(noise: Rational, currency: 'epsilon' | 'rho'): RoundNoise {
  const law: NoiseLaw = currency === 'rho' ? { kind: 'gaussian', variance: noise } : { kind: 'laplace', scale: noise }
  return { law, variance: varianceOf(law), mean: meanNoise(law) }
}
