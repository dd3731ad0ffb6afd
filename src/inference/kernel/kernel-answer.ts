import { toNumber } from '../../numeric/index.ts'
import { type Measurement, noiseDeviation } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { cellQuery } from '../blue/cell-query.ts'
import { covariance, type Feature, type Features } from './feature.ts'
import { likeliestCells } from './likeliest-cells.ts'

/** One noisy number, in the data's own units. */
export interface KernelAnswer {
  readonly feature: Feature
  readonly value: number
  /** Standard deviation of its noise. */
  readonly deviation: number
  /** The measurement that it is from. */
  readonly id?: string
}

/** How two functions of a record go together. */
export type Kernel = (q: Feature, r: Feature) => number

/** Noise that is never seen still has this deviation, in steps: a division by 0 would gain nothing. */
const leastDeviation = 1e-6

/** Of a larger table so many numbers are looked at: a feature takes three kilobytes. */
export const mostOfTable = 20_000

/** The numbers of a measurement, of a large table the likeliest. Those that are the same for every table tell nothing. */
export function kernelAnswers(
  { id, query, law, values }: Measurement,
  u: Universe,
  features: Features,
): KernelAnswer[] {
  const step = toNumber(query.step)
  const deviation = step * Math.max(leastDeviation, noiseDeviation(law))
  return likeliestCells(query, u, features, mostOfTable)
    .map((cell) => ({
      feature: features.of(cellQuery(query, u, cell)),
      value: step * Number(values[cell]),
      deviation,
      id,
    }))
    .filter(({ feature }) => feature.pieces.length > 0)
}

/** Covariances with the answers, each in units of the answer's noise. */
export function scaledCovariances(
  feature: Feature,
  answers: readonly KernelAnswer[],
  { count = answers.length, kernel = covariance }: { readonly count?: number; readonly kernel?: Kernel } = {},
): Float64Array {
  const row = new Float64Array(count)
  for (let i = 0; i < count; i++) row[i] = kernel(feature, answers[i]!.feature) / answers[i]!.deviation
  return row
}

/** The kernel matrix in units of the noise, row by row up to the diagonal: rows first … of all answers. */
export const kernelRows = (answers: readonly KernelAnswer[], first = 0, kernel: Kernel = covariance): Float64Array[] =>
  answers.slice(first).map(({ feature, deviation }, i) => {
    const row = scaledCovariances(feature, answers, { count: first + i + 1, kernel })
    for (let j = 0; j < row.length; j++) row[j]! /= deviation
    return row
  })
