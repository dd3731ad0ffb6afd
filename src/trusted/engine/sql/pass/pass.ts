import type { Universe } from '../../../../schema/index.ts'
import type { Chunk } from '../database.ts'
import type { Histogram } from '../histogram/histogram.ts'
import { BitPairs, mostCodes } from './bit-pairs.ts'
import { Blocks } from './block.ts'
import { CellTally } from './cell-tally.ts'
import { type AttributeSets, membersOf, setsFrom } from './sets.ts'

/** Streams the codes of these attributes, chunk by chunk. */
type Read = (attributes: readonly number[], visit: (chunk: Chunk) => void) => Promise<void>

/**
 * The counts of many sets of attributes, one after the other, from one reading of all records: there is never more in
 * memory than the counts and a block of records. The last attribute of a set runs fastest.
 */
export async function countAtOnce(sets: AttributeSets, u: Universe, read: Read): Promise<Float64Array> {
  const { members, from, starts } = sets
  const attributes = membersOf(sets, u)
  const sizes = attributes.map((a) => u.attributes[a]!.size)
  const columnOf = new Int32Array(u.attributes.length)
  for (const [i, a] of attributes.entries()) columnOf[a] = i
  const counts = new Float64Array(starts[sets.length]!)
  const pairs = new BitPairs(sizes, counts, sets.length)
  const others: CellTally[] = []
  for (let i = 0; i < sets.length; i++) {
    const first = columnOf[members[from[i]!]!]!
    const second = columnOf[members[from[i]! + 1]!]!
    if (from[i + 1]! - from[i]! === 2 && sizes[first]! <= mostCodes && sizes[second]! <= mostCodes)
      pairs.count(first, second, starts[i]!)
    else {
      const columns = Array.from(members.subarray(from[i], from[i + 1]), (a) => columnOf[a]!)
      const own = columns.map((column) => sizes[column]!)
      others.push(new CellTally(columns, own, counts.subarray(starts[i]!, starts[i + 1]!)))
    }
  }
  const blocks = new Blocks(sizes, (block) => {
    pairs.add(block)
    for (const tally of others) tally.add(block)
  })
  await read(attributes, (chunk) => blocks.add(chunk))
  blocks.flush()
  pairs.finish()
  return counts
}

/** The same as histograms, each made when it is looked at: a view of the one array. */
export async function countSets(
  sets: readonly (readonly number[])[],
  u: Universe,
  read: Read,
): Promise<Iterable<Histogram>> {
  const flat = setsFrom(sets, u)
  return histogramsOf(sets, u, await countAtOnce(flat, u, read), flat.starts)
}

function* histogramsOf(
  sets: readonly (readonly number[])[],
  u: Universe,
  counts: Float64Array,
  starts: Float64Array,
): Iterable<Histogram> {
  for (const [i, attributes] of sets.entries()) {
    const sizes = attributes.map((a) => u.attributes[a]!.size)
    const own = new Float64Array(counts.buffer, 8 * starts[i]!, starts[i + 1]! - starts[i]!)
    yield { attributes, sizes, counts: own }
  }
}
