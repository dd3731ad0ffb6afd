import {
  coarsened,
  type GroupedMarginal,
  type MixtureProblem,
  type Partition,
  refinement,
} from '../../../model/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { fineness, usualLevel } from './candidates.ts'
import type { KnownTables } from './known.ts'
import type { Levels } from './levels.ts'
import { shrunkPairs } from './shrunk-pairs.ts'

/** All that was measured and is known. */
export interface Measured {
  readonly records: number
  readonly counts: readonly Float64Array[]
  readonly levels: readonly Levels[]
  readonly oneWay: readonly GroupedMarginal[]
  readonly pairs: readonly GroupedMarginal[]
  readonly known: KnownTables
  /** Whether noisy scores chose the levels of the pairs. */
  readonly isScored: boolean
  /** Of a pair's noise, by which the levels were made. */
  readonly deviation: number
}

/** Of tables in which all noise is left, χ² is to be so much of their cells. */
const usualMisfit = 0.8
/** A known table of more cells than this is fitted at a coarser level. */
const mostCells = 2 ** 16

/** What the mixture is fitted to: over groups of the finest level, which answers from the history may divide further. */
export function problemOf({ attributes }: Universe, measured: Measured): MixtureProblem {
  const { records, counts, levels, known } = measured
  const others = new Map<number, Partition[]>()
  for (const { axes } of known.others)
    for (const { attribute, groups } of axes) others.set(attribute, [...(others.get(attribute) ?? []), groups])
  const atoms = attributes.map(({ size }, a) => refinement(size, [levels[a]![0]!, ...(others.get(a) ?? [])]))
  const onAtoms = (marginal: GroupedMarginal) =>
    coarsened(
      marginal,
      marginal.axes.map(({ attribute }) => atoms[attribute]!),
    )
  const complete = known.complete.map((marginal) =>
    marginal.axes.length === 1 ? onAtoms(marginal) : coarsened(marginal, suitable(marginal, measured)),
  )
  // What was made of the one-way marginals, not what was bought: the fit would come back to its noise.
  const lines = measured.oneWay.map((marginal) =>
    onAtoms({ ...marginal, values: counts[marginal.axes[0]!.attribute]! }),
  )
  const pairs = shrunkPairs(measured.pairs, counts, records)
  const told = [...complete, ...known.others]
  const cells = told.reduce((sum, { axes, values }) => sum + (axes.length > 1 ? values.length : 0), 0)
  return {
    records,
    attributes: atoms.map((atoms, a) => ({ atoms, counts: counts[a]!, start: levels[a]!.at(-1)! })),
    marginals: [...lines, ...pairs.marginals, ...told],
    ...(measured.pairs.length > 0 && { enough: pairs.enough + usualMisfit * cells }),
  }
}

/** The level at which a table with its noise would have been bought, about: γ goes with the cube root of 1/σ. */
function suitable({ axes, variance }: GroupedMarginal, { levels, deviation }: Measured): Partition[] {
  const gamma = fineness[usualLevel]! * Math.cbrt(deviation / Math.sqrt(variance as number))
  const at = (level: number) => axes.map(({ attribute }) => levels[attribute]![level]!)
  const cells = (level: number) => at(level).reduce((product, { count }) => product * count, 1)
  let level = Math.max(
    0,
    fineness.findLastIndex((value) => value >= gamma),
  )
  while (level < fineness.length - 1 && cells(level) > mostCells) level++
  return at(level)
}
