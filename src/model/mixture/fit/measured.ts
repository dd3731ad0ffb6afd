import { type Factor, factorTable, groupOf, type Measurement, noiseVariance } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { type Partition, singletons } from '../partition.ts'
import type { GroupedMarginal } from './problem.ts'

const mostAttributes = 3

/**
 * A noisy answer as counts over groups, where it is that: one term, of conditions on single attributes, over at most three
 * attributes. A condition is an axis of one group.
 */
export function groupedMarginal({ query, law, values }: Measurement, universe: Universe): GroupedMarginal | undefined {
  const [term, ...others] = query.terms
  if (!term || others.length > 0 || term.coefficient === 0) return undefined
  const axes: { attribute: number; groups: Partition }[] = []
  for (const grouping of query.by) {
    const attribute = universe.index.get(grouping.attribute)!
    const { size } = universe.attributes[attribute]!
    const factor = term.factors[grouping.attribute]
    const counted = factor && condition(factor, size)
    if (factor && !counted) return undefined
    const groupOfCode = (code: number) => (counted && counted[code] === 0 ? -1 : groupOf(grouping, code))
    const groups =
      grouping.groups || counted
        ? {
            groupOf: Int32Array.from({ length: size }, (_, code) => groupOfCode(code)),
            count: grouping.groups?.length ?? size,
          }
        : singletons(size)
    axes.push({ attribute, groups })
  }
  const grouped = new Set(query.by.map(({ attribute }) => attribute))
  for (const [name, factor] of Object.entries(term.factors)) {
    if (grouped.has(name)) continue
    const attribute = universe.index.get(name)!
    const counted = condition(factor, universe.attributes[attribute]!.size)
    if (!counted) return undefined
    axes.push({ attribute, groups: { groupOf: Int32Array.from(counted, (one) => one - 1), count: 1 } })
  }
  if (axes.length === 0 || axes.length > mostAttributes) return undefined
  const variance = noiseVariance(law) / term.coefficient ** 2
  return {
    axes,
    values: Float64Array.from<number | bigint>(values, (value) => Number(value) / term.coefficient),
    // Exact answers weigh a lot, not infinitely much.
    variance: Math.max(variance, exact),
  }
}
const exact = 0.01

/** 1 and 0 by code; undefined for any other function. */
function condition(factor: Factor, size: number): Float64Array | undefined {
  const table = factorTable(factor, size)
  return table.every((value) => value === 0 || value === 1) ? table : undefined
}

/** Whether every code is a group of its own on every axis. */
export const isComplete = ({ axes }: GroupedMarginal): boolean =>
  axes.every(({ groups }) => groups.groupOf.every((group, code) => group === code))

/** The same counts over coarser groups, which must be unions of its own: variances add up. */
export function coarsened({ axes, values, variance }: GroupedMarginal, coarser: readonly Partition[]): GroupedMarginal {
  const sizes = axes.map(({ groups }) => groups.count)
  const cells = coarser.reduce((product, { count }) => product * count, 1)
  const sums = new Float64Array(cells)
  const variances = new Float64Array(cells)
  // By axis, the coarser group of each of its groups.
  const maps = axes.map(({ groups }, axis) => {
    const map = new Int32Array(groups.count)
    for (const [code, group] of groups.groupOf.entries()) if (group >= 0) map[group] = coarser[axis]!.groupOf[code]!
    return map
  })
  const place = new Int32Array(axes.length)
  for (let cell = 0; cell < values.length; cell++) {
    let to = 0
    for (let axis = 0; axis < axes.length; axis++) to = to * coarser[axis]!.count + maps[axis]![place[axis]!]!
    sums[to]! += Number(values[cell]!)
    variances[to]! += typeof variance === 'number' ? variance : variance[cell]!
    for (let axis = axes.length - 1; axis >= 0 && ++place[axis]! === sizes[axis]!; axis--) place[axis] = 0
  }
  return {
    axes: axes.map(({ attribute }, axis) => ({ attribute, groups: coarser[axis]! })),
    values: sums,
    variance: variances,
  }
}
