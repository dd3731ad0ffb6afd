import { factorTable, groupOf, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'

/** For every record the cell of the answer that it counts in, -1 for none, and what it adds there, in steps. */
export function recordWeights(
  { by, terms }: LinearQuery,
  { attributes, index }: Universe,
  rows: readonly ArrayLike<number>[],
): { readonly places: Int32Array; readonly weights: Float64Array } {
  const count = rows[0]!.length
  const places = new Int32Array(count)
  for (const grouping of by) {
    const a = index.get(grouping.attribute)!
    const { size } = attributes[a]!
    const groups = Int32Array.from({ length: size }, (_, code) => groupOf(grouping, code))
    const width = grouping.groups?.length ?? size
    for (let r = 0; r < count; r++) {
      const group = groups[rows[a]![r]!]!
      places[r] = places[r]! < 0 || group < 0 ? -1 : places[r]! * width + group
    }
  }
  const weights = new Float64Array(count)
  for (const { coefficient, factors } of terms) {
    const term = new Float64Array(count).fill(coefficient)
    for (const [name, factor] of Object.entries(factors)) {
      const a = index.get(name)!
      const table = factorTable(factor, attributes[a]!.size)
      for (let r = 0; r < count; r++) term[r]! *= table[rows[a]![r]!]!
    }
    for (let r = 0; r < count; r++) weights[r]! += term[r]!
  }
  return { places, weights }
}
