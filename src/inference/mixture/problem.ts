import {
  type GroupedMarginal,
  groupedMarginal,
  type MixtureProblem,
  type Partition,
  refinement,
} from '../../model/index.ts'
import type { Measurement } from '../../query/index.ts'
import { isOrdered, knownCodes, type Universe } from '../../schema/index.ts'

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
    return isRobust && marginal.axes.length > 1 ? { ...marginal, ...pullOf(measurement, marginal) } : marginal
  })
  const attributes = universe.attributes.map((attribute, a) => ({
    atoms: refinement(attribute.size, partitionsOf(marginals, a)),
    counts: shares[a]!.map((share) => share * records),
    ordered: isOrdered(attribute) ? knownCodes(attribute) : 0,
  }))
  return { records, attributes, marginals }
}

/** Laplace noise has long tails: beyond half a deviation an answer that is further off pulls no harder, as from a whole one on. */
const pullOf = ({ law }: Measurement, { variance }: GroupedMarginal) =>
  law.kind === 'laplace' && typeof variance === 'number'
    ? { variance: variance * Math.SQRT1_2, mostPull: Math.sqrt(variance) / 2 }
    : {}

const partitionsOf = (marginals: readonly GroupedMarginal[], attribute: number): Partition[] =>
  marginals.flatMap(({ axes }) => axes.flatMap((axis) => (axis.attribute === attribute ? [axis.groups] : [])))
