import { errorLawByCharacteristic, lawOf, type Term, varianceOfError } from '../../../inference/index.ts'
import { toNumber } from '../../../numeric/index.ts'
import type { Measurement } from '../../../query/index.ts'
import { expectedDeviation } from '../deviation.ts'
import type { CellLaw } from './combine.ts'

/** What the answers to one marginal say by themselves, without what other tables say about it. */
interface OwnAnswers {
  readonly values: Float64Array
  readonly law: CellLaw
  /** E|noise| in a cell. */
  readonly deviation: number
}

/** Noise that is never seen still has this variance, so that nothing is divided by 0. */
const leastVariance = 1e-12

/**
 * `measurements` are all of this very marginal, at least one. Cells have nothing to do with each other, so the best
 * estimate of each is the mean of its answers, weighted by the inverse of their variances.
 */
export function ownAnswers(measurements: readonly Measurement[]): OwnAnswers {
  const exact = measurements.find(({ law }) => law.kind === 'none')
  if (exact) return weighted([exact], [])
  const noises = measurements.map(({ law }): Term => ({ law: lawOf(law)!, coefficient: 1, count: 1 }))
  const precisions = noises.map((noise) => 1 / Math.max(leastVariance, varianceOfError([noise])))
  const total = precisions.reduce((sum, precision) => sum + precision)
  return weighted(
    measurements,
    noises.map((noise, i) => ({ ...noise, coefficient: precisions[i]! / total })),
  )
}

/** No term: without noise. */
function weighted(measurements: readonly Measurement[], terms: readonly Term[]): OwnAnswers {
  const values = new Float64Array(measurements[0]!.values.length)
  for (const [i, { values: given }] of measurements.entries()) {
    const share = terms[i]?.coefficient ?? 1
    for (let cell = 0; cell < values.length; cell++) values[cell]! += share * Number(given[cell]!)
  }
  const variance = varianceOfError(terms)
  const halfWidth = (confidence: number) => errorLawByCharacteristic(terms).halfWidth(confidence)
  return { values, law: { variance, halfWidth }, deviation: deviationOf(measurements, variance) }
}

/** Exactly of Laplace noises of different scales, else as if their sum were normal, which it nearly is. */
function deviationOf(measurements: readonly Measurement[], variance: number): number {
  const scales = measurements.flatMap(({ law }) => (law.kind === 'laplace' ? [toNumber(law.scale)] : []))
  return new Set(scales).size === measurements.length ? expectedDeviation(scales) : Math.sqrt((2 / Math.PI) * variance)
}
