import { firstWhere } from '../../numeric/index.ts'
import { arrange } from './arrangement.ts'
import { noNoise } from './closed-form.ts'
import { type BlurredLaw, type ErrorLaw, errorLaw } from './error-law.ts'
import { type Term, varianceOfError } from './law.ts'
import { sampler } from './sample.ts'
import { tailReach } from './tail.ts'

/** How many draws: a number, or as many as put every probability within ± this with this confidence. */
type Samples = { readonly samples: number } | { readonly within: number; readonly confidence: number }
type MonteCarloOptions = Samples & {
  /** A uniform number in [0, 1). */
  readonly uniform: () => number
}

/** The chance that a bound of the error does not hold, where only the number of draws is given. */
const unlucky = 1e-6

/** By the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart: sup |F_n - F| > d with probability ≤ 2·exp(-2nd²). */
export const samplesFor = (within: number, confidence: number): number =>
  Math.ceil(Math.log(2 / (1 - confidence)) / (2 * within * within))
const errorOf = (samples: number): number => Math.sqrt(Math.log(2 / unlucky) / (2 * samples))

/**
 * The law of an error from draws of the error (the paper's Algorithm 1, over all k ≤ m and without rounding the draws). Its
 * slack holds with the confidence asked for, or but for one time in a million.
 */
export function errorLawByMonteCarlo(terms: readonly Term[], options: MonteCarloOptions): ErrorLaw {
  const variance = varianceOfError(terms)
  const present = terms.filter(({ coefficient, count }) => coefficient !== 0 && count > 0)
  if (present.length === 0 || variance === 0) return errorLaw(noNoise, variance)
  const [n, slack] =
    'samples' in options
      ? [options.samples, errorOf(options.samples)]
      : [samplesFor(options.within, options.confidence), options.within]
  const a = arrange(present)
  const far = (confidence: number) => tailReach(a, 1 - confidence) * a.deviation
  return errorLaw(empirical(draws(present, n, options.uniform), slack, far), variance)
}

/** |error|, n times, sorted. */
function draws(terms: readonly Term[], n: number, uniform: () => number): Float64Array {
  const sums = new Float64Array(n)
  for (const { law, coefficient, count } of terms) {
    const draw = sampler(law, uniform)
    for (let k = 0; k < count; k++) for (let i = 0; i < n; i++) sums[i]! += coefficient * draw()
  }
  for (let i = 0; i < n; i++) sums[i] = Math.abs(sums[i]!)
  return sums.sort()
}

function empirical(sizes: Float64Array, slack: number, far: (confidence: number) => number): BlurredLaw {
  const n = sizes.length
  // Draws of one value differ by the rounding of their sums; 10^-9 of the largest joins them again.
  const same = sizes[n - 1]! * 1e-9
  return {
    atMost: (w) => (w < 0 ? 0 : countBelow(sizes, w + same) / n),
    below: (w) => (w <= 0 ? 0 : countBelow(sizes, w - same) / n),
    spacing: 0,
    support: sizes[n - 1]! + 2 * same,
    blur: same,
    slack,
    halfWidth: (confidence) => {
      const needed = Math.max(1, Math.ceil((confidence + slack) * n))
      return needed > n ? far(confidence) : sizes[needed - 1]! + same
    },
  }
}

/** How many of the sorted numbers are below x. */
const countBelow = (sorted: Float64Array, x: number): number => firstWhere(0, sorted.length, (i) => sorted[i]! >= x)

/** §6.3: the draws that bring the bound of Corollary 4.1 on the draws' squared error down to γ², and never fewer than 10^4. */
export const samplesOfPaper = (bins: number, fullest: number, gamma: number): number =>
  Math.max(10_000, Math.ceil((bins / (gamma * gamma)) * fullest * (1 - fullest) + 1))
