import { totalOf } from '../dense/cells.ts'
import { Ladder } from '../rows/ladder.ts'
import { quickRandom } from '../rows/quick-random.ts'
import type { Sampling } from '../table-model.ts'
import type { JunctionTree } from './junction-tree.ts'
import { cellsOver, type Sizes } from './table.ts'

/** Multiples of it, modulo 1, spread evenly however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/**
 * Draws as many records as the columns are long and writes the codes of the tree's attributes, clique after clique, given what
 * the separator says. Every cell is as likely as it should be, and numbers are rounded with little variance: records that agree on a
 * separator share its cells by a systematic sample, and the samples of different groups begin at evenly spread points. Or
 * each record is drawn by itself.
 */
export function drawRows(
  tree: JunctionTree,
  columns: readonly Int32Array[],
  random: () => number,
  sampling: Sampling = 'rounded',
): void {
  const { cliques, edges, parents } = tree.shape
  tree.settle()
  const give = sampling === 'independent' ? lots : combs
  const draw = (clique: number, attributes: readonly number[], separator: readonly number[]) =>
    drawClique(tree, clique, { attributes, separator }, columns, random, give(random))
  for (const [c, clique] of cliques.entries()) if (parents[c]! < 0) draw(c, clique, [])
  for (const { ends, separator } of edges) draw(ends[1], cliques[ends[1]]!, separator)
}

/** Gives these records cells, all of them unless said, in proportion to these masses. */
type Give = (masses: Float64Array, records: Int32Array | undefined, cells: Int32Array) => void
const none = { order: new Int32Array(0), starts: Int32Array.of(0) }

/** By a systematic sample. */
function combs(random: () => number): Give {
  let offset = random()
  return (masses, records, cells) => {
    if (records) share(masses, records, offset, cells)
    else fillShares(masses, offset, cells)
    offset = (offset + goldenRatio) % 1
  }
}

/** Each by itself. */
function lots(random: () => number): Give {
  const words = quickRandom(random)
  return (masses, records, cells) => {
    const ladder = new Ladder(masses)
    const count = records?.length ?? cells.length
    for (let i = 0; i < count; i++) cells[records ? records[i]! : i] = ladder.at(words() / 2 ** 32)
  }
}

function drawClique(
  tree: JunctionTree,
  clique: number,
  { attributes, separator }: { readonly attributes: readonly number[]; readonly separator: readonly number[] },
  columns: readonly Int32Array[],
  random: () => number,
  give: Give,
): void {
  const { sizes } = tree
  const drawn = attributes.filter((a) => !separator.includes(a))
  const table = tree.projection(clique, [...separator, ...drawn]).sum(tree.at(clique))
  const width = cellsOver(drawn, sizes)
  const [column] = drawn.map((a) => columns[a]!)
  // The cells of a single attribute are its codes.
  const cells = drawn.length === 1 ? column! : new Int32Array(column!.length)
  if (separator.length === 0) {
    give(table, undefined, cells)
    shuffle(cells, random)
  }
  const { order, starts } = separator.length > 0 ? sortedByCell(separator, sizes, columns, random) : none
  for (let s = 0; s + 1 < starts.length; s++) {
    if (starts[s] === starts[s + 1]) continue
    give(table.subarray(s * width, (s + 1) * width), order.subarray(starts[s], starts[s + 1]), cells)
  }
  writeCodes(cells, drawn, sizes, columns)
}

/** Gives records cells: those that a comb of evenly spaced points, moved by `offset`, falls in. */
function share(masses: Float64Array, records: Int32Array, offset: number, cells: Int32Array): void {
  let cell = 0
  let reached = masses[0]!
  const step = totalOf(masses) / records.length
  for (let i = 0; i < records.length; i++) {
    const point = (i + offset) * step
    while (point >= reached && cell + 1 < masses.length) reached += masses[++cell]!
    cells[records[i]!] = cell
  }
}

/** The same for all records, one cell after the other. */
function fillShares(masses: Float64Array, offset: number, cells: Int32Array): void {
  const step = totalOf(masses) / cells.length
  let reached = 0
  let from = 0
  for (let cell = 0; cell < masses.length; cell++) {
    reached += masses[cell]!
    const isLast = cell + 1 === masses.length
    const to = isLast ? cells.length : Math.max(from, Math.min(cells.length, Math.ceil(reached / step - offset)))
    cells.fill(cell, from, to)
    from = to
  }
}

/** The codes that make up the cells; the cells are used up. */
function writeCodes(
  cells: Int32Array,
  attributes: readonly number[],
  sizes: Sizes,
  columns: readonly Int32Array[],
): void {
  for (const a of attributes.slice(1).reverse()) {
    const column = columns[a]!
    const size = sizes[a]!
    for (let r = 0; r < cells.length; r++) {
      const rest = Math.floor(cells[r]! / size)
      column[r] = cells[r]! - rest * size
      cells[r] = rest
    }
  }
  if (columns[attributes[0]!] !== cells) columns[attributes[0]!]!.set(cells)
}

/** All records, those of one cell side by side, in random order within the cell. */
function sortedByCell(
  attributes: readonly number[],
  sizes: Sizes,
  columns: readonly Int32Array[],
  random: () => number,
): { order: Int32Array; starts: Int32Array } {
  const count = columns[attributes[0]!]!.length
  const places = new Int32Array(count)
  for (let r = 0; r < count; r++) places[r] = r
  shuffle(places, random)
  const cellOf = new Int32Array(count)
  for (const a of attributes) {
    const column = columns[a]!
    const size = sizes[a]!
    for (let r = 0; r < count; r++) cellOf[r] = cellOf[r]! * size + column[r]!
  }
  const starts = new Int32Array(cellsOver(attributes, sizes) + 1)
  for (let r = 0; r < count; r++) starts[cellOf[r]! + 1]!++
  for (let s = 1; s < starts.length; s++) starts[s]! += starts[s - 1]!
  const next = starts.slice()
  const order = new Int32Array(count)
  for (let i = 0; i < count; i++) order[next[cellOf[places[i]!]!]!++] = places[i]!
  return { order, starts }
}

/** Into an order for which `random` is asked once: a thousand columns want millions of numbers, and only their disorder matters. */
function shuffle(values: Int32Array, random: () => number): void {
  let state = Math.floor(random() * 2 ** 32) | 1
  for (let i = values.length - 1; i > 0; i--) {
    // xorshift32: every state but 0, in an order without pattern.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const j = Math.floor(((state >>> 0) / 2 ** 32) * (i + 1))
    const value = values[i]!
    values[i] = values[j]!
    values[j] = value
  }
}
