import { denseEstimate, type Term } from '../../../inference/index.ts'

/** A random history as in §6.2-6.3: m questions over n cells, and a question that is to be estimated from it. */
export interface PaperHistory {
  /** Integers, at most max(S) in size. */
  readonly rows: readonly Float64Array[]
  /** Of the Laplace noise: S_k/α_k. */
  readonly scales: readonly number[]
  readonly question: Float64Array
}

/** `alpha` is the most that a question may have paid: α is uniform below it. */
export function drawHistory(
  { m, n, sensitivity, alpha }: { m: number; n: number; sensitivity: number; alpha: number },
  uniform: () => number,
): PaperHistory {
  const whole = (from: number, to: number) => from + Math.floor(uniform() * (to - from + 1))
  const rows = Array.from({ length: m }, () => Float64Array.from({ length: n }, () => whole(-sensitivity, sensitivity)))
  const scales = rows.map((row) => {
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    // Six digits, as recorded scales have; an α near 0 would make an answer of no use to anybody.
    return Number((Math.max(1, largest) / (alpha * Math.max(0.001, uniform()))).toPrecision(6))
  })
  return { rows, scales, question: Float64Array.from({ length: n }, () => whole(0, 1)) }
}

/** The error of its best estimate, with the continuous noise that the paper has. */
export function termsOf({ rows, scales, question }: PaperHistory): Term[] {
  const { coefficients } = denseEstimate({ rows, variances: scales.map((scale) => 2 * scale * scale) }, question)!
  return Array.from(coefficients, (coefficient, k) => ({
    law: { kind: 'continuous-laplace', scale: scales[k]! },
    coefficient,
    count: 1,
  }))
}
