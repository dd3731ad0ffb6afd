import { problem } from '../../schema/index.ts'
import type { JunctionTree } from './junction-tree.ts'
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
export interface WeightedSums {
  readonly attributes: readonly number[]
  readonly values: Float64Array
}

/** What a subtree adds: for each cell of the separator to it, one row of sums. */
export interface Message extends WeightedSums {
  readonly width: number
}

/** More products than this at one clique are refused: they would take seconds and a gigabyte. */
const mostProducts = 2 ** 27

/** One clique that is about to be summed out, and what its other neighbours have said. */
interface Elimination {
  readonly separator: readonly number[]
  /** The separator's attributes first. */
  readonly kept: readonly number[]
  readonly grouped: readonly number[]
  /** The weighted marginal over what is kept. */
  readonly masses: Float64Array
  readonly messages: readonly Message[]
  readonly separators: readonly (readonly number[])[]
}

/** Multiplies masses with the rows of all messages, and adds up by separator and group. */
export function eliminated(tree: JunctionTree, uses: Uses, elimination: Elimination): Message {
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
  problem(
    'not-supported',
    'the model cannot answer this question within its limits: it joins too many attributes that depend on each other',
    'Group by fewer attributes, or by wider groups.',
    { products, most: mostProducts },
  )
