import type { JunctionTree } from './junction-tree.ts'
import { cellsOver, type Sizes } from './table.ts'

/** Multiples of it, modulo 1, spread evenly however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/**
 * Draws as many records as the columns are long and writes the codes of the tree's attributes, clique after clique, given what
 * the separator says. Every cell is as likely as it should be, and numbers are rounded with little variance: records that agree on a
 * separator share its cells by a systematic sample, and the samples of different groups begin at evenly spread points.
 */
export function drawRows(tree: JunctionTree, columns: readonly Int32Array[], random: () => number): void {
  const { cliques, edges, parents } = tree.shape
  tree.settle()
  for (const [c, clique] of cliques.entries()) if (parents[c]! < 0) drawClique(tree, c, clique, [], columns, random)
  for (const { ends, separator } of edges) drawClique(tree, ends[1], cliques[ends[1]]!, separator, columns, random)
}

function drawClique(
  tree: JunctionTree,
  clique: number,
  attributes: readonly number[],
  separator: readonly number[],
  columns: readonly Int32Array[],
  random: () => number,
): void {
  const { sizes } = tree
  const drawn = attributes.filter((a) => !separator.includes(a))
  const table = tree.projection(clique, [...separator, ...drawn]).sum(tree.at(clique))
  const width = cellsOver(drawn, sizes)
  const { order, starts } = sortedByCell(separator, sizes, columns, columns[drawn[0]!]!.length, random)
  let offset = random()
  for (let s = 0; s + 1 < starts.length; s++) {
    if (starts[s] === starts[s + 1]) continue
    const records = order.subarray(starts[s], starts[s + 1])
    share(table.subarray(s * width, (s + 1) * width), records, offset, (record, cell) =>
      writeCodes(cell, drawn, sizes, columns, record),
    )
    offset = (offset + goldenRatio) % 1
  }
}

/** Gives so many records cells: those that a comb of evenly spaced points, moved by `offset`, falls in. */
function share(
  masses: Float64Array,
  records: Int32Array,
  offset: number,
  give: (record: number, cell: number) => void,
): void {
  let total = 0
  for (const mass of masses) total += mass
  let cell = 0
  let reached = masses[0]!
  for (const [i, record] of records.entries()) {
    const point = ((i + offset) / records.length) * total
    while (point >= reached && cell + 1 < masses.length) reached += masses[++cell]!
    give(record, cell)
  }
}

function writeCodes(
  cell: number,
  attributes: readonly number[],
  sizes: Sizes,
  columns: readonly Int32Array[],
  record: number,
): void {
  let rest = cell
  for (let i = attributes.length - 1; i >= 0; i--) {
    const a = attributes[i]!
    columns[a]![record] = rest % sizes[a]!
    rest = Math.floor(rest / sizes[a]!)
  }
}

/** All records, those of one cell side by side, in random order within the cell. */
function sortedByCell(
  attributes: readonly number[],
  sizes: Sizes,
  columns: readonly Int32Array[],
  count: number,
  random: () => number,
): { order: Int32Array; starts: Int32Array } {
  const cellOf = new Int32Array(count)
  for (const a of attributes) for (let r = 0; r < count; r++) cellOf[r] = cellOf[r]! * sizes[a]! + columns[a]![r]!
  const starts = new Int32Array(cellsOver(attributes, sizes) + 1)
  for (const cell of cellOf) starts[cell + 1]!++
  for (let s = 1; s < starts.length; s++) starts[s]! += starts[s - 1]!
  const next = starts.slice()
  const order = new Int32Array(count)
  for (const record of shuffled(count, random)) order[next[cellOf[record]!]!++] = record
  return { order, starts }
}

function shuffled(count: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = order[i]!
    order[i] = order[j]!
    order[j] = kept
  }
  return order
}
