import { fromNumber, gaussianTail, laplaceTail, type Rational } from '../../numeric/index.ts'
import { type NoiseLaw, noiseSpread } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { errorLawByCharacteristic } from './characteristic.ts'
import { lawOf, type Term, varianceOf, varianceOfError } from './law.ts'

/** Scales are rounded down to so many digits: samplers are faster with short fractions, and ledgers read better. */
const digits = 6

function roundedDown(x: number): Rational {
  const text = x.toPrecision(digits)
  if (Number(text) <= x) return fromNumber(Number(text))
  const unit = 10 ** (Math.floor(Math.log10(x)) - digits + 1)
  return fromNumber(Number((x - unit).toPrecision(digits)))
}

/** Steps within the half-width wanted; 0.3 in steps of 0.1 is three of them. */
const wholeSteps = (within: number) => Math.floor(within + 1e-9)

function checkRequirement(within: number, confidence: number): void {
  if (within >= 0 && within < Number.POSITIVE_INFINITY && confidence > 0 && confidence < 1) return
  throw problem(
    'usage',
    'no noise meets this requirement',
    'Ask for a finite half-width of at least 0 and a confidence between 0 and 1.',
    { within, confidence },
  )
}

/** The largest x, to a double, at which `fits`, which holds up to some point and not beyond. */
function largest(fits: (x: number) => boolean): number {
  let low = 1
  while (!fits(low)) low /= 2
  let high = 2 * low
  while (fits(high)) [low, high] = [high, 2 * high]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return low
    if (fits(middle)) low = middle
    else high = middle
  }
}

/**
 * The largest scale, in steps, whose discrete Laplace noise lies within ± `within` steps with at least this confidence:
 * Theorem 5.3 for the noise that is drawn. Rounded down, against the budget and for the requirement.
 */
export function laplaceScaleFor(within: number, confidence: number): Rational {
  checkRequirement(within, confidence)
  return roundedDown(largest((scale) => laplaceTail(scale, wholeSteps(within)) <= 1 - confidence))
}

/** The same for the σ² of discrete Gaussian noise. */
export function gaussianVarianceFor(within: number, confidence: number): Rational {
  checkRequirement(within, confidence)
  return roundedDown(largest((sigma2) => gaussianTail(sigma2, wholeSteps(within)) <= 1 - confidence))
}

/** What the history says about a query, and what a fresh measurement of the same query would be like. */
export interface Combination {
  /** The error of the history's estimate, in the data's units; no terms where there is no estimate. */
  readonly terms: readonly Term[]
  /** Its variance. */
  readonly variance: number
  /** The query's step, on which the fresh noise lies. */
  readonly step: number
  readonly kind: 'laplace' | 'gaussian'
  /** Only a fresh law noisier than this, in scale or σ², is of use: there is another way that costs no more. */
  readonly noisierThan?: number
}

/** The terms of the history's estimate and a fresh measurement's, weighted by their inverse variances. */
export function combinedTerms({ terms, variance, step }: Combination, law: NoiseLaw): Term[] {
  const fresh = lawOf(law)
  if (fresh === undefined) return []
  const weight = terms.length === 0 ? 1 : variance / (variance + varianceOf(fresh) * step * step)
  const old = terms.map((term) => ({ ...term, coefficient: term.coefficient * (1 - weight) }))
  return [...old, { law: fresh, coefficient: weight * step, count: 1 }]
}

/** A search ends when the half-width is this near below what is wanted. */
const near = 0.002
/** And stays this far below, so that the same sum in another order still meets the requirement. */
const spare = 1e-9
/** Blur of the laws that decide, and of those that only show the way, in half-widths: these cost a tenth. */
const [fine, coarse] = [1 / 200, 1 / 20]

/**
 * The noisiest fresh law (the cheapest) that, combined with the history, meets the requirement; undefined when nothing
 * fresh is needed, or when a fresh measurement used alone, or another way, is as cheap. The ratio of half-width to
 * standard deviation hardly moves, so each law tells the variance to try next, and blurred ones show the way: all
 * but a 2,000th of what their blur adds is known. What is returned was tried with little blur, so it holds whatever the
 * search assumed.
 */
export function freshLawFor(history: Combination, within: number, confidence: number): NoiseLaw | undefined {
  checkRequirement(within, confidence)
  const { terms, variance, step, kind } = history
  const alone = aloneLaw(kind, within / step, confidence)
  if (terms.length === 0) return undefined
  const goal = within * (1 - spare)
  const widthOf = (made: readonly Term[]) => halfWidthNear(goal, made, within, confidence)
  const wide = widthOf(terms)
  if (wide <= within) return undefined
  let best: NoiseLaw | undefined
  let [fits, tooNoisy] = [noiseSpread(alone), Number.POSITIVE_INFINITY]
  const { noisierThan = 0 } = history
  if (noisierThan > fits) {
    const least = lawWith(kind, roundedDown(noisierThan))
    if (widthOf(combinedTerms(history, least)) > goal) return undefined
    fits = noisierThan
  }
  let ratio = wide / Math.sqrt(variance)
  for (let i = 0; i < 12; i++) {
    const target = (goal / ratio) ** 2
    const own = target < variance ? 1 / (1 / target - 1 / variance) / step ** 2 : Number.POSITIVE_INFINITY
    const guess = kind === 'laplace' ? Math.sqrt(own / 2) : own
    // Between what is known to do and what is known not to.
    const inside = guess > fits && guess < tooNoisy ? guess : middleOf(fits, tooNoisy)
    const law = lawWith(kind, roundedDown(inside))
    if (noiseSpread(law) <= fits) break
    const made = combinedTerms(history, law)
    const w = widthOf(made)
    ratio = (w * (1 + near / 4)) / Math.sqrt(varianceOfError(made))
    if (w > goal) tooNoisy = noiseSpread(law)
    else fits = noiseSpread(law)
    if (w <= goal && w > goal * (1 - 2 * near)) best = law
    if (w <= goal && w > goal * (1 - near)) break
  }
  return best
}

/** The half-width; from a blurred law alone where that is far from the goal. */
function halfWidthNear(goal: number, terms: readonly Term[], within: number, confidence: number): number {
  const blurred = errorLawByCharacteristic(terms, { blur: within * coarse })
  // What it would be with little blur, or nearly.
  const guess = blurred.halfWidth(confidence) - blurred.blur + Math.min(blurred.blur, within * fine)
  if (guess < goal * (1 - 2 * near) || guess > goal * (1 + near)) return guess
  return errorLawByCharacteristic(terms, { blur: within * fine }).halfWidth(confidence)
}

const middleOf = (low: number, high: number) => (high === Number.POSITIVE_INFINITY ? 2 * low : Math.sqrt(low * high))

const aloneLaw = (kind: Combination['kind'], within: number, confidence: number): NoiseLaw =>
  kind === 'laplace'
    ? { kind, scale: laplaceScaleFor(within, confidence) }
    : { kind, variance: gaussianVarianceFor(within, confidence) }

const lawWith = (kind: Combination['kind'], spread: Rational): NoiseLaw =>
  kind === 'laplace' ? { kind, scale: spread } : { kind, variance: spread }
