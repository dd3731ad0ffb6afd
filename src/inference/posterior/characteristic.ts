import { arrange } from './arrangement.ts'
import { noNoise, oneNoise } from './closed-form.ts'
import { latticeLaw } from './lattice.ts'
import { absent, presence, type Term, varianceOfError } from './law.ts'
import { type ErrorLaw, type Posterior, posterior } from './posterior.ts'
import { aliased, seriesLaw } from './series.ts'
import { tailReach } from './tail.ts'

export interface CharacteristicOptions {
  /**
   * How much an interval may be widened, in the data's units, when coefficients share no lattice: about a 200th of the
   * half-width wanted. Halving it doubles the work. By default a 100th of the standard deviation.
   */
  readonly blur?: number
}

/**
 * The posterior by the product of the noises' characteristic functions: exact where one noise or a small lattice is
 * all there is, conservative everywhere. Proof: docs/algorithms/posterior.md
 */
export function posteriorByCharacteristic(terms: readonly Term[], { blur }: CharacteristicOptions = {}): Posterior {
  const variance = varianceOfError(terms)
  return posterior(lawOfError(terms, blur ?? Math.sqrt(variance) / 100), variance)
}

function lawOfError(all: readonly Term[], blur: number): ErrorLaw {
  const nonzero = all.filter(({ coefficient, count }) => coefficient !== 0 && count > 0)
  const [first, ...others] = nonzero
  if (first && others.length === 0 && first.count === 1) return oneNoise(first)
  const terms = presentTerms(nonzero)
  if (terms.length === 0) return noNoise
  const a = arrange(terms)
  const tail = tailReach(a, aliased)
  return latticeLaw(terms, a, tail) ?? seriesLaw(a, tail, blur)
}

/** Without the noises that are zero all together but for a probability of `absent`, which every slack holds. */
const presentTerms = (terms: readonly Term[]): Term[] =>
  terms.filter(({ law, count }) => count * presence(law) > absent / terms.length)
