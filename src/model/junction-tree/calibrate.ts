import type { TreeShape } from './shape.ts'
import { cellIndex, cellsOver, type Sizes } from './table.ts'

/**
 * Turns the logarithms of each clique's own factors into the marginals of the cliques, and returns those of the separators and the
 * logarithm of the sum of all products of the factors.
 * Messages go to the root and back as logarithms: cliques that each rule out what another one needs still give a distribution.
 */
export function calibrate(
  { cliques, edges }: TreeShape,
  tables: readonly Float64Array[],
  sizes: Sizes,
): { readonly separators: Float64Array[]; readonly logTotal: number } {
  const logSums = (clique: number, separator: readonly number[]) =>
    logSumsOf(tables[clique]!, cellIndex(cliques[clique]!, separator, sizes), cellsOver(separator, sizes))
  const separators: Float64Array[] = []
  for (const [e, { ends, separator, projections }] of [...edges.entries()].toReversed()) {
    separators[e] = logSums(ends[1], separator)
    projections[0].add(tables[ends[0]]!, separators[e]!)
  }
  const [total] = logSums(0, [])
  for (let i = 0; i < tables[0]!.length; i++) tables[0]![i]! -= total!
  for (const [e, { ends, separator, projections }] of edges.entries()) {
    const known = separators[e]!
    separators[e] = logSums(ends[0], separator)
    projections[1].add(
      tables[ends[1]]!,
      separators[e]!.map((log, s) => log - known[s]!),
    )
  }
  for (const logs of [...tables, ...separators]) for (let i = 0; i < logs.length; i++) logs[i] = Math.exp(logs[i]!)
  return { separators, logTotal: total! }
}

/** log Σ exp over the cells that fall in each place, the largest taken out first. */
function logSumsOf(logs: Float64Array, places: Int32Array, count: number): Float64Array {
  const most = new Float64Array(count).fill(Number.NEGATIVE_INFINITY)
  for (let i = 0; i < logs.length; i++) most[places[i]!] = Math.max(most[places[i]!]!, logs[i]!)
  const sums = new Float64Array(count)
  for (let i = 0; i < logs.length; i++) sums[places[i]!]! += Math.exp(logs[i]! - most[places[i]!]!)
  return sums.map((sum, s) => Math.log(sum) + most[s]!)
}
