import { divide, type Rational } from '../../../numeric/index.ts'
import { MarginalList, marginalOver, noiseVariance, type QueryList } from '../../../query/index.ts'
import type { RunLaw } from '../budget.ts'
import type { SynthTerms } from '../method.ts'
import { meanNoise } from './noise.ts'

/** What an answer of a round is blurred with. */
interface RoundNoise {
  readonly law: RunLaw
  readonly variance: number
  /** Mean absolute value, in steps. */
  readonly mean: number
}

/** The noise of every query in one round. */
export interface RoundNoises {
  /** Every one that there is: that of a query is at its unit's place. */
  readonly all: readonly RoundNoise[]
  readonly of: (place: number) => RoundNoise
}

/** What measurable queries cost, each looked at once; all marginals of more than one cell cost the same. */
export class QueryCosts {
  /** The noise at which a query costs 1: every one that there is. */
  readonly units: readonly Rational[]
  /** The unit of each query, by its place among them. */
  readonly unitOf: Int32Array
  readonly sensitivities: Float64Array

  constructor(queries: QueryList, { universe, unitNoise, distanceSensitivity }: SynthTerms) {
    const size = (name: string) => universe.attributes[universe.index.get(name)!]!.size
    const known = new Map<string, number>()
    const units: Rational[] = []
    const placeOf = (unit: Rational) => {
      const key = `${unit.num}/${unit.den}`
      if (!known.has(key)) known.set(key, units.push(unit) - 1)
      return known.get(key)!
    }
    this.unitOf = new Int32Array(queries.length)
    this.sensitivities = new Float64Array(queries.length)
    this.units = units
    if (queries instanceof MarginalList) {
      if (queries.length === 0) return
      this.sensitivities.fill(Number(distanceSensitivity(queries.at(0)!)))
      placeOf(unitNoise(queries.at(0)!))
      return
    }
    let marginal = -1
    for (const [i, query] of [...queries].entries()) {
      const isMarginal = marginalOver(query)?.some((name) => size(name) > 1)
      const alike = isMarginal && marginal >= 0
      this.unitOf[i] = alike ? this.unitOf[marginal]! : placeOf(unitNoise(query))
      this.sensitivities[i] = alike ? this.sensitivities[marginal]! : Number(distanceSensitivity(query))
      if (isMarginal) marginal = i
    }
  }

  /** The noise at which a query costs 1. */
  unit(place: number): Rational {
    return this.units[this.unitOf[place]!]!
  }

  /** The noise of each query at this price. */
  at(price: Rational, currency: 'epsilon' | 'rho'): RoundNoises {
    const all = this.all(price, currency)
    return { all, of: (place) => all[this.unitOf[place]!]! }
  }

  /** Every noise that a query may have at this price. */
  all(price: Rational, currency: 'epsilon' | 'rho'): RoundNoise[] {
    return this.units.map((unit) => noiseFor(divide(unit, price), currency))
  }
}

function noiseFor(noise: Rational, currency: 'epsilon' | 'rho'): RoundNoise {
  const law: RunLaw = currency === 'rho' ? { kind: 'gaussian', variance: noise } : { kind: 'laplace', scale: noise }
  return { law, variance: noiseVariance(law), mean: meanNoise(law) }
}
