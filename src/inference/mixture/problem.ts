import {
  type GroupedMarginal,
  groupedMarginal,
  type MixtureProblem,
  type Partition,
  refinement,
} from '../../model/index.ts'
import type { Measurement } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'

/** Tables of more cells are left out: an ensemble of mixtures would take minutes. */
const mostCells = 2 ** 18

/**
 * What a mixture is fitted to: the counts of one to three attributes among the answers. `shares` are the attributes' own.
 * Where the fit is robust, answers with Laplace noise pull no harder than by that noise's likelihood.
 */
export function mixtureProblem(
  universe: Universe,
  measurements: readonly Measurement[],
  records: number,
  shares: readonly Float64Array[],
  isRobust = false,
): MixtureProblem {
  const marginals = measurements.flatMap((measurement) => {
    const marginal = groupedMarginal(measurement, universe)
    if (!marginal || marginal.values.length > mostCells) return []
    return isRobust ? { ...marginal, ...pullOf(measurement, marginal) } : marginal
  })
  const attributes = universe.attributes.map(({ size }, a) => ({
    atoms: refinement(size, partitionsOf(marginals, a)),
    counts: shares[a]!.map((share) => share * records),
  }))
  return { records, attributes, marginals }
}

/** Laplace noise has long tails: beyond its scale an answer that is further off says no more. */
const pullOf = ({ law }: Measurement, { variance }: GroupedMarginal) =>
  law.kind === 'laplace' && typeof variance === 'number' ? { mostPull: Math.sqrt(variance / 2) } : {}

const partitionsOf = (marginals: readonly GroupedMarginal[], attribute: number): Partition[] =>
  marginals.flatMap(({ axes }) => axes.flatMap((axis) => (axis.attribute === attribute ? [axis.groups] : [])))
