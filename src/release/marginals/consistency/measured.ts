import { combinedTables } from '../../../inference/index.ts'
import { toNumber } from '../../../numeric/index.ts'
import { type Measurement, marginal } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { expectedDeviation } from '../deviation.ts'
import { type CellLaw, precisionOf } from './combine.ts'

/** What the answers to one marginal say by themselves, without what other tables tell about it. */
export interface OwnAnswers {
  readonly values: Float64Array
  readonly law: CellLaw
  /** E|noise| in a cell. */
  readonly deviation: number
}

/** `measurements` are all of this very marginal, at least one. */
export function ownAnswers(
  universe: Universe,
  attributes: readonly string[],
  { measurements, random }: { readonly measurements: readonly Measurement[]; readonly random: () => number },
): OwnAnswers {
  const [only, ...others] = measurements
  const [values] =
    others.length === 0
      ? [Float64Array.from(only!.values, Number)]
      : combinedTables(universe, measurements, [marginal(attributes)])
  const [law] = precisionOf(universe, [attributes], { measurements, random }).tables
  return { values: values!, law: law!, deviation: deviationOf(measurements, law!.variance) }
}

/** Exactly of Laplace noises of different scales, else as if their sum were normal, which it nearly is. */
function deviationOf(measurements: readonly Measurement[], variance: number): number {
  const scales = measurements.flatMap(({ law }) => (law.kind === 'laplace' ? [toNumber(law.scale)] : []))
  return new Set(scales).size === measurements.length ? expectedDeviation(scales) : Math.sqrt((2 / Math.PI) * variance)
}
