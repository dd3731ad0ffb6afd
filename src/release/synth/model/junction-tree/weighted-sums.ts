import { ReticentError } from '../../../../schema/index.ts'
import type { JunctionTree } from './junction-tree.ts'
import { otherEnd } from './shape.ts'
import { cellIndex, cellsOver, type Sizes } from './table.ts'

/** What a sum does with the codes of an attribute: weighs them, sorts them into groups, or both. */
export interface AttributeUse {
  /** One per code. */
  readonly weights?: Float64Array
  /** The group of every code, -1 where it is left out, and how many groups there are. */
  readonly groups?: { readonly of: Int32Array; readonly count: number }
}
export type Uses = ReadonlyMap<number, AttributeUse>

/** Sums, one per combination of groups of these attributes, the last attribute running fastest. */
interface WeightedSums {
  readonly attributes: readonly number[]
  readonly values: Float64Array
}

/** What a subtree adds: for each cell of the separator to it, one row of sums. */
interface Message extends WeightedSums {
  readonly width: number
}

/** More products than this at one clique are refused: they would take seconds and a gigabyte. */
const mostProducts = 2 ** 27

/**
 * Σ over all cells of probability · Π weights, one sum per combination of groups, by eliminating one clique after the
 * other. Attributes that are not in use do not matter.
 */
export function weightedSums(tree: JunctionTree, uses: Uses): WeightedSums {
  tree.settle()
  let root = 0
  let most = -1
  for (const [c, clique] of tree.shape.cliques.entries()) {
    const used = clique.filter((a) => uses.has(a)).length
    if (used > most) [root, most] = [c, used]
  }
  return messageFrom(tree, uses, root, -1) ?? { attributes: [], values: Float64Array.of(1) }
}

/** What is to be known beyond an edge (-1: at the root) about all that lies on this side; undefined where that is nothing. */
function messageFrom(tree: JunctionTree, uses: Uses, clique: number, via: number): Message | undefined {
  const { cliques, edges, edgesAt } = tree.shape
  const separator = via < 0 ? [] : edges[via]!.separator
  const own = cliques[clique]!.filter((a) => uses.has(a) && !separator.includes(a))
  const messages: Message[] = []
  const separators: (readonly number[])[] = []
  for (const e of edgesAt[clique]!) {
    const message = e === via ? undefined : messageFrom(tree, uses, otherEnd(edges[e]!, clique), e)
    if (message === undefined) continue
    messages.push(message)
    separators.push(edges[e]!.separator)
  }
  if (own.length === 0 && messages.length === 0) return undefined
  const grouped = own.filter((a) => uses.get(a)!.groups !== undefined)
  const others = new Set([...grouped, ...separators.flat()])
  for (const a of separator) others.delete(a)
  const kept = [...separator, ...others]
  const masses = keptMasses(tree, uses, clique, own, kept)
  const message = products(tree, uses, { separator, kept, grouped, masses, messages, separators })
  if (via >= 0) divideRows(message.values, tree.separator(via))
  return message
}

/** The weighted marginal of a clique over the attributes that still matter. */
function keptMasses(
  tree: JunctionTree,
  uses: Uses,
  clique: number,
  own: readonly number[],
  kept: readonly number[],
): Float64Array {
  let table = tree.at(clique)
  for (const a of own) {
    const { weights } = uses.get(a)!
    if (weights === undefined) continue
    if (table === tree.at(clique)) table = table.slice()
    tree.projection(clique, [a]).multiply(table, weights)
  }
  return tree.projection(clique, kept).sum(table)
}

interface Elimination {
  readonly separator: readonly number[]
  /** The separator's attributes first. */
  readonly kept: readonly number[]
  readonly grouped: readonly number[]
  readonly masses: Float64Array
  readonly messages: readonly Message[]
  readonly separators: readonly (readonly number[])[]
}

/** Multiplies masses with the rows of all messages, and adds up by separator and group. */
function products(tree: JunctionTree, uses: Uses, elimination: Elimination): Message {
  const { separator, kept, grouped, masses, messages, separators } = elimination
  const { sizes } = tree
  const group = groupIndex(kept, grouped, uses, sizes)
  const groups = grouped.reduce((count, a) => count * uses.get(a)!.groups!.count, 1)
  const width = messages.reduce((product, message) => product * message.width, 1)
  const inner = masses.length / cellsOver(separator, sizes)
  if (masses.length * width > mostProducts || (masses.length / inner) * groups * width > mostProducts)
    throw tooLarge(masses.length * width)
  const rowsOf = separators.map((s) => cellIndex(kept, s, sizes))
  const values = new Float64Array((masses.length / inner) * groups * width)
  for (let cell = 0; cell < masses.length; cell++) {
    if (group[cell]! < 0 || masses[cell] === 0) continue
    let row: Float64Array = Float64Array.of(masses[cell]!)
    for (const [m, message] of messages.entries()) row = outer(row, message, rowsOf[m]![cell]!)
    const start = (Math.floor(cell / inner) * groups + group[cell]!) * width
    for (let i = 0; i < width; i++) values[start + i]! += row[i]!
  }
  const attributes = [...grouped, ...messages.flatMap((message) => message.attributes)]
  return { attributes, values, width: groups * width }
}

/** All products of a row with one row of a message. */
function outer(row: Float64Array, message: Message, at: number): Float64Array {
  const { values, width } = message
  const longer = new Float64Array(row.length * width)
  for (let i = 0, next = 0; i < row.length; i++)
    for (let j = 0; j < width; j++) longer[next++] = row[i]! * values[at * width + j]!
  return longer
}

function divideRows(values: Float64Array, masses: Float64Array): void {
  const width = values.length / masses.length
  for (let i = 0; i < values.length; i++) {
    const mass = masses[Math.floor(i / width)]!
    values[i] = mass > 0 ? values[i]! / mass : 0
  }
}

/** For every cell over `kept` its combination of groups, -1 where one of its codes is left out. */
function groupIndex(kept: readonly number[], grouped: readonly number[], uses: Uses, sizes: Sizes): Int32Array {
  const index = new Int32Array(cellsOver(kept, sizes))
  for (const a of grouped) {
    const { of, count } = uses.get(a)!.groups!
    const codes = cellIndex(kept, [a], sizes)
    for (let cell = 0; cell < index.length; cell++) {
      const group = of[codes[cell]!]!
      index[cell] = index[cell]! < 0 || group < 0 ? -1 : index[cell]! * count + group
    }
  }
  return index
}

const tooLarge = (products: number) =>
  new ReticentError(
    'not-supported',
    { products, most: mostProducts },
    {
      message:
        'the model cannot answer this question within its limits: it joins too many attributes that depend on each other',
      hint: 'Group by fewer attributes, or by wider groups.',
    },
  )
