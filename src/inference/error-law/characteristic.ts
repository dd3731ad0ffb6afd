import { type Arrangement, arrange } from './arrangement.ts'
import { noNoise, oneNoise, whole } from './closed-form.ts'
import { type BlurredLaw, type ErrorLaw, errorLaw } from './error-law.ts'
import { latticeLaw } from './lattice.ts'
import { absent, presence, type Term, varianceOfError } from './law.ts'
import { aliased, seriesLaw } from './series.ts'
import { tailReach } from './tail.ts'

interface CharacteristicOptions {
  /**
   * How much an interval may be widened, in the data's units, when coefficients share no lattice: about a 200th of the
   * half-width wanted. Halving it doubles the work. By default a 100th of the standard deviation.
   */
  readonly blur?: number
  /** How far rounding may have moved the estimate or its error: intervals are wider by it. */
  readonly rounding?: number
}

/**
 * The law of an error by the product of the noises' characteristic functions: exact where one noise or a small lattice is
 * all there is, conservative everywhere. Proof: docs/algorithms/error-law.md
 */
export function errorLawByCharacteristic(terms: readonly Term[], options: CharacteristicOptions = {}): ErrorLaw {
  const { blur, rounding = 0 } = options
  const [first, second] = terms
  if (first && !second && first.count === 1) return errorLaw(moved(oneNoise(first), rounding), varianceOfError(terms))
  const { law, variance } = keptLaw(terms, blur)
  return errorLaw(moved(law, rounding), variance)
}

/** A law, and the variance of the error. */
interface Made {
  readonly law: BlurredLaw
  readonly variance: number
}

/** Estimates of groups that are alike have one list of terms, so its law is made once. */
const made = new WeakMap<readonly Term[], Map<number | undefined, Made>>()

function keptLaw(terms: readonly Term[], blur: number | undefined): Made {
  const laws = made.get(terms) ?? new Map<number | undefined, Made>()
  made.set(terms, laws)
  const known = laws.get(blur)
  if (known) return known
  const present = presentTerms(terms)
  const a = arrange(present)
  const variance = present === terms ? a.variance : varianceOfError(terms)
  const law = lawOfError(present, a, blur ?? Math.sqrt(variance) / 100)
  laws.set(blur, { law, variance })
  return { law, variance }
}

/**
 * The same error, which may have been moved by this much more. On a lattice far less than a step moves nothing: an end of
 * an interval is then read as the number of steps that it is next to.
 */
const moved = (law: BlurredLaw, by: number): BlurredLaw =>
  by <= whole * law.spacing
    ? law
    : { ...law, blur: law.blur + by, halfWidth: (confidence) => law.halfWidth(confidence) + by }

function lawOfError(terms: readonly Term[], a: Arrangement, blur: number): BlurredLaw {
  if (terms.length === 0) return noNoise
  const tail = tailReach(a, aliased)
  return latticeLaw(terms, a, tail) ?? seriesLaw(a, tail, blur)
}

/** Without the noises that are zero all together but for a probability of `absent`, which every slack holds. */
function presentTerms(terms: readonly Term[]): readonly Term[] {
  const least = absent / terms.length
  const isPresent = ({ law, coefficient, count }: Term) => coefficient !== 0 && count * presence(law) > least
  for (let i = 0; i < terms.length; i++) if (!isPresent(terms[i]!)) return terms.filter(isPresent)
  return terms
}
