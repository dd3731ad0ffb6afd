import type { Universe } from '../../../../schema/index.ts'
import type { Chunk } from '../database.ts'
import { type Histogram, product } from '../histogram.ts'
import { BitPairs, mostCodes } from './bit-pairs.ts'
import { type Block, Blocks } from './block.ts'
import { CellTally } from './cell-tally.ts'

/**
 * The histograms of many sets of attributes from one reading of all records: `read` streams the codes of these attributes,
 * chunk by chunk, so that there is never more in memory than the counts and a block of records.
 */
export async function countSets(
  sets: readonly (readonly number[])[],
  u: Universe,
  read: (attributes: readonly number[], visit: (chunk: Chunk) => void) => Promise<void>,
): Promise<Histogram[]> {
  const attributes = [...new Set(sets.flat())].sort((a, b) => a - b)
  const sizes = attributes.map((a) => u.attributes[a]!.size)
  const placeOf = new Map(attributes.map((a, i) => [a, i]))
  const histograms = emptyHistograms(sets, u)
  const placed = histograms.all.map(({ attributes, counts }) => ({
    columns: attributes.map((a) => placeOf.get(a)!),
    from: counts.byteOffset / 8,
    counts,
  }))
  const isSmall = ({ columns }: { readonly columns: readonly number[] }) =>
    columns.length === 2 && columns.every((c) => sizes[c]! <= mostCodes)
  const pairs = new BitPairs(placed.filter(isSmall), sizes, histograms.counts)
  const others = placed
    .filter((set) => !isSmall(set))
    .map(
      ({ columns, counts }) =>
        new CellTally(
          columns,
          columns.map((c) => sizes[c]!),
          counts,
        ),
    )
  const blocks = new Blocks(attributes.length, (block: Block) => {
    pairs.add(block)
    for (const tally of others) tally.add(block)
  })
  await read(attributes, (chunk) => blocks.add(chunk))
  blocks.flush()
  pairs.finish()
  return histograms.all
}

/** All counts in one array: half a million histograms of four cells are half a million views of it. */
function emptyHistograms(sets: readonly (readonly number[])[], u: Universe) {
  const sizes = sets.map((set) => set.map((a) => u.attributes[a]!.size))
  const cells = sizes.map(product)
  const counts = new Float64Array(cells.reduce((sum, n) => sum + n, 0))
  let from = 0
  const all = sets.map((attributes, i): Histogram => {
    const own = counts.subarray(from, from + cells[i]!)
    from += cells[i]!
    return { attributes, sizes: sizes[i]!, counts: own }
  })
  return { counts, all }
}
