import { describe, expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { type Law, tailOf } from './law.ts'
import { errorLawByMonteCarlo, samplesFor, samplesOfPaper } from './monte-carlo.ts'
import { sampler } from './sample.ts'

/** Corollary 4.1: a bound of E Σ(u_i - E u_i)² for a vector of so many bins, the fullest holding so much. */
const expectedError = (bins: number, fullest: number, samples: number): number =>
  (bins / (samples - 1)) * fullest * (1 - fullest)

const n = 40_000
/** Dvoretzky, Kiefer, Wolfowitz: farther than this from its own law once in 10^6 runs. */
const bound = Math.sqrt(Math.log(2e6) / (2 * n))

const laws: Law[] = [
  { kind: 'laplace', scale: 0.5 },
  { kind: 'laplace', scale: 20 },
  { kind: 'continuous-laplace', scale: 3 },
  { kind: 'gaussian', variance: 0.4 },
  { kind: 'gaussian', variance: 100 },
]

describe.each(laws)('draws from %o', (law) => {
  const draws = ((draw) => Float64Array.from({ length: n }, draw))(sampler(law, seededBits(11).uniform))
  const distance = (other: Law) => {
    let largest = 0
    for (let x = 0; x < 60; x++) {
      const beyond = draws.filter((d) => Math.abs(d) > x).length / n
      largest = Math.max(largest, Math.abs(beyond - tailOf(other, x)))
    }
    return largest
  }
  test('fit the law, and not one that is 30% wider', () => {
    expect(distance(law)).toBeLessThan(bound)
    const wider: Law =
      law.kind === 'gaussian' ? { ...law, variance: 1.69 * law.variance } : { ...law, scale: 1.3 * law.scale }
    expect(distance(wider)).toBeGreaterThan(bound)
  })
  test('are as often above zero as below', () => {
    const [above, below] = [draws.filter((d) => d > 0).length, draws.filter((d) => d < 0).length]
    // A sum of at most n signs: 4.89 sd is one false alarm in 10^6 runs.
    expect(Math.abs(above - below)).toBeLessThan(4.89 * Math.sqrt(n))
  })
})

describe('how many draws', () => {
  test('by the uniform bound', () => {
    expect(samplesFor(0.01, 0.95)).toBe(18_445)
    const law: Law = { kind: 'laplace', scale: 2 }
    const p = errorLawByMonteCarlo([{ law, coefficient: 1, count: 2 }], {
      within: 0.02,
      confidence: 0.99,
      uniform: seededBits(1).uniform,
    })
    expect(p.slack).toBe(0.02)
  })

  test('by the paper: §6.3 inverts Corollary 4.1, and never asks for fewer than 10^4', () => {
    const samples = samplesOfPaper(933, 0.02, 0.01)
    expect(samples).toBe(Math.ceil((933 / 1e-4) * 0.02 * 0.98 + 1))
    expect(expectedError(933, 0.02, samples)).toBeLessThanOrEqual(1e-4)
    expect(expectedError(933, 0.02, samples - 1)).toBeGreaterThan(1e-4 * (1 - 1e-5))
    expect(samplesOfPaper(9, 0.3, 0.5)).toBe(10_000)
  })

  test('Corollary 4.1 bounds the error of Definition 4.2', () => {
    const terms = [{ law: { kind: 'laplace', scale: 3 }, coefficient: 1, count: 1 } as const]
    const samples = 10_000
    const masses = errorLawByMonteCarlo(terms, { samples, uniform: seededBits(3).uniform }).masses(1)
    const middle = (masses.length - 1) / 2
    const exact = (k: number) =>
      k === 0
        ? 1 - tailOf(terms[0]!.law, 0)
        : (tailOf(terms[0]!.law, Math.abs(k) - 1) - tailOf(terms[0]!.law, Math.abs(k))) / 2
    const error = masses.reduce((sum, m, i) => sum + (m - exact(i - middle)) ** 2, 0)
    expect(error).toBeLessThan(expectedError(masses.length, masses[middle]!, samples))
    expect(error).toBeGreaterThan(0)
  })
})
