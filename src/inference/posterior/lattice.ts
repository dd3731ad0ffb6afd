import { fft, powerOfTwo } from '../../numeric/index.ts'
import { type Arrangement, arrange } from './arrangement.ts'
import { gridLaw } from './grid.ts'
import { absent, isDiscrete, type Term } from './law.ts'
import type { ErrorLaw } from './posterior.ts'
import { productOf, tailReach, type Value } from './product.ts'
import { aliased } from './series.ts'

/** Lattices with more points than this within the law's reach are left to the blurred series. */
const most = 2 ** 14
/** A coefficient is a multiple when it is one to this part of itself; the rest is paid for as blur. */
const tolerance = 1e-12

/** A step of which every coefficient is a whole multiple, when there is one above `least` (Euclid's algorithm). */
export function commonStep(terms: readonly Term[], least: number): number | undefined {
  let step = 0
  for (const { law, coefficient } of terms) {
    if (!isDiscrete(law)) return undefined
    let [a, b] = [Math.abs(coefficient), step]
    while (b > tolerance * a) [a, b] = [b, Math.abs(a - b * Math.round(a / b))]
    if (a < least) return undefined
    step = a
  }
  const fits = ({ coefficient }: Term) => Math.abs(offset(coefficient, step)) <= tolerance * Math.abs(coefficient)
  return step > 0 && terms.every(fits) ? step : undefined
}

const offset = (coefficient: number, step: number) => coefficient - step * Math.round(coefficient / step)

/**
 * How far coefficients that are multiples of the step only nearly can move the error, but with probability `aliased`.
 */
export function offsets(terms: readonly Term[], step: number): number {
  const rests = terms
    .map((term) => ({ ...term, coefficient: offset(term.coefficient, step) }))
    .filter((term) => term.coefficient !== 0)
  if (rests.length === 0) return 0
  const rest = arrange(rests)
  return tailReach(rest, aliased) * rest.deviation
}

/**
 * The law of an error whose coefficients share a step: its probabilities themselves, by one transform of the
 * characteristic function at N frequencies. Undefined where they share none or the lattice is too fine. `reach` is the
 * arrangement's for a tail of `aliased`.
 */
export function latticeLaw(terms: readonly Term[], a: Arrangement, reach: number): ErrorLaw | undefined {
  const tail = reach * a.deviation
  const step = commonStep(terms, (2 * tail) / (most - 2))
  if (step === undefined) return undefined
  const points = Math.max(4, powerOfTwo((2 * tail) / step + 2))
  const blur = offsets(terms, step)
  const real = new Float64Array(points)
  const imaginary = new Float64Array(points)
  const product = productOf(a)
  const phi: Value = { value: 0, error: 0 }
  real[0] = 1
  // Two times what lies beyond the period, and the transform's rounding: 8 units·log2 N in the Euclidean norm.
  let slack = absent + 2 * aliased + 8 * 2 ** -53 * Math.log2(points) * Math.sqrt(points)
  const base = (2 * Math.PI * a.deviation) / (points * step)
  for (let n = 1; n <= points / 2; n++) {
    product(n * base, phi)
    real[n] = real[points - n] = phi.value
    slack += phi.error / n
  }
  fft(real, imaginary)
  const half = real.slice(0, points / 2).map((p) => Math.max(0, p / points))
  const far = (confidence: number) => tailReach(a, 1 - confidence) * a.deviation
  return gridLaw({ half, step, exact: true, blur, slack, far })
}
