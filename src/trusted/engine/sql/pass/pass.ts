import type { Universe } from '../../../../schema/index.ts'
import type { Chunk } from '../database.ts'
import type { Histogram } from '../histogram.ts'
import { BitPairs, mostCodes } from './bit-pairs.ts'
import { Blocks } from './block.ts'
import { CellTally } from './cell-tally.ts'

/**
 * The histograms of many sets of attributes from one reading of all records: `read` streams the codes of these attributes,
 * chunk by chunk, so that there is never more in memory than the counts and a block of records. All counts are in one
 * array, of which each histogram is a view that is made when it is looked at: there may be half a million.
 */
export async function countSets(
  sets: readonly (readonly number[])[],
  u: Universe,
  read: (attributes: readonly number[], visit: (chunk: Chunk) => void) => Promise<void>,
): Promise<Iterable<Histogram>> {
  const attributes = attributesOf(sets)
  const sizes = attributes.map((a) => u.attributes[a]!.size)
  const placeOf: number[] = []
  for (const [i, a] of attributes.entries()) placeOf[a] = i
  const starts = startsOf(sets, u)
  const counts = new Float64Array(starts.at(-1)!)
  const pairs = new BitPairs(sizes, counts, sets.length)
  const isSmall = (a: number) => u.attributes[a]!.size <= mostCodes
  const tallyOf = (set: readonly number[], own: Float64Array) => {
    const columns = set.map((a) => placeOf[a]!)
    return new CellTally(
      columns,
      columns.map((c) => sizes[c]!),
      own,
    )
  }
  const others: CellTally[] = []
  for (let i = 0; i < sets.length; i++) {
    const [a, b] = sets[i]!
    if (sets[i]!.length === 2 && isSmall(a!) && isSmall(b!)) pairs.count(placeOf[a!]!, placeOf[b!]!, starts[i]!)
    else others.push(tallyOf(sets[i]!, counts.subarray(starts[i]!, starts[i + 1]!)))
  }
  const blocks = new Blocks(attributes.length, (block) => {
    pairs.add(block)
    for (const tally of others) tally.add(block)
  })
  await read(attributes, (chunk) => blocks.add(chunk))
  blocks.flush()
  pairs.finish()
  return histogramsOf(sets, u, counts, starts)
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

function attributesOf(sets: readonly (readonly number[])[]): number[] {
  const all = new Set<number>()
  for (const set of sets) for (const a of set) all.add(a)
  return [...all].sort((a, b) => a - b)
}

/** Where each set's counts begin, and where the last ones end. */
function startsOf(sets: readonly (readonly number[])[], u: Universe): Float64Array {
  const starts = new Float64Array(sets.length + 1)
  for (const [i, set] of sets.entries()) {
    let cells = 1
    for (const a of set) cells *= u.attributes[a]!.size
    starts[i + 1] = starts[i]! + cells
  }
  return starts
}
