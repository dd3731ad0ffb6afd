import fc from 'fast-check'
import type { Law, Term } from '../../src/inference/index.ts'
import { gaussianHalfWidth, gaussianPmf, laplaceHalfWidth, laplacePmf } from '../../src/numeric/index.ts'

/** Term lists whose coefficients are small multiples of one step, so that their law can be summed up. */
export const latticeTerms: fc.Arbitrary<{ terms: Term[]; step: number }> = fc
  .tuple(
    fc.constantFrom(1, 0.5, 0.1, 1 / 3, 250),
    fc.array(fc.tuple(discreteLaw(), fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 })), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([step, groups]) => ({
    step,
    terms: groups.map(([law, multiple, count]) => ({ law, coefficient: multiple * step, count })),
  }))
  .filter(({ terms }) => terms.some(({ coefficient }) => coefficient !== 0))

export function discreteLaw(): fc.Arbitrary<Law> {
  return fc.oneof(
    fc.double({ min: 0.2, max: 3, noNaN: true }).map((scale): Law => ({ kind: 'laplace', scale })),
    fc.double({ min: 0.1, max: 8, noNaN: true }).map((variance): Law => ({ kind: 'gaussian', variance })),
  )
}

/** The probability of each number of steps, by adding up over all noises: the obvious way. `at(k)` is Pr(error = k). */
export interface Exact {
  at(k: number): number
  /** Pr(|error| ≤ w steps). */
  within(w: number): number
  readonly reach: number
}

export function bruteForce(terms: readonly Term[], step: number): Exact {
  let reach = 0
  let law = Float64Array.of(1)
  for (const term of terms) {
    const multiple = Math.abs(Math.round(term.coefficient / step))
    const noise = pmfOf(term.law)
    for (let i = 0; i < term.count; i++) {
      const added = (multiple * (noise.length - 1)) / 2
      const next = new Float64Array(law.length + 2 * added)
      for (let k = 0; k < noise.length; k++) {
        for (let j = 0; j < law.length; j++) next[multiple * k + j]! += noise[k]! * law[j]!
      }
      law = next
      reach += added
    }
  }
  const at = (k: number) => law[k + reach] ?? 0
  const sums = new Float64Array(reach + 1)
  let total = -at(0)
  for (let k = 0; k <= reach; k++) sums[k] = total += 2 * at(k)
  return { at, reach, within: (w) => (w < 0 ? 0 : sums[Math.min(reach, Math.floor(w + 1e-7))]!) }
}

/** All but 10^-14 of it. */
function pmfOf(law: Law): Float64Array {
  if (law.kind === 'continuous-laplace') throw new RangeError('a continuous law has no probabilities to add up')
  const laplace = law.kind === 'laplace'
  const last = laplace ? laplaceHalfWidth(law.scale, 1 - 1e-14) : gaussianHalfWidth(law.variance, 1 - 1e-14)
  return Float64Array.from({ length: 2 * last + 1 }, (_, i) =>
    laplace ? laplacePmf(law.scale, i - last) : gaussianPmf(law.variance, i - last),
  )
}
