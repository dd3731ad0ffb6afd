import { strides } from '../../../numeric/index.ts'
import { addUnits } from '../units.ts'
import { entriesOf } from '../weights.ts'
import type { CostTable } from './cost-table.ts'
import { refine, whole } from './partition.ts'

/** For each entry of a table over `sizes`, the sum of one offset per axis: where that entry lies in another table. */
export function gather(sizes: readonly number[], offsets: readonly Int32Array[]): Int32Array {
  let places = Int32Array.of(0)
  for (const [a, size] of sizes.entries()) {
    const next = new Int32Array(places.length * size)
    addEach(places, offsets[a]!, size, next)
    places = next
  }
  return places
}

/** Every place with every one of the first `size` offsets. */
function addEach(places: Int32Array, offsets: Int32Array, size: number, sums: Int32Array): void {
  for (let i = 0, at = 0; i < places.length; i++)
    for (let c = 0; c < size; c++, at++) sums[at] = places[i]! + offsets[c]!
}

/** The same table with all these attributes for axes; on those it did not have it is constant. */
function lift(table: CostTable, attributes: readonly number[]): CostTable {
  const partitions = attributes.map((a) => table.partitions[table.attributes.indexOf(a)] ?? whole)
  return { attributes, partitions, units: table.units }
}

/** a + b, where a has all attributes of b, on the classes that both respect; undefined beyond `limit` entries. */
export function sumTables(a: CostTable, b: CostTable, limit: number): CostTable | undefined {
  const lifted = lift(b, a.attributes)
  const refined = a.partitions.map((p, axis) => refine(p, lifted.partitions[axis]!))
  const partitions = refined.map((r) => r.partition)
  if (entriesOf(partitions) > limit) return undefined
  const sizes = partitions.map((p) => p.count)
  const [stepA, stepB] = [a, lifted].map((t) => strides(t.partitions.map((p) => p.count))) as [number[], number[]]
  const inA = gather(
    sizes,
    refined.map((r, axis) => r.first.map((c) => c * stepA[axis]!)),
  )
  const inB = gather(
    sizes,
    refined.map((r, axis) => r.second.map((c) => c * stepB[axis]!)),
  )
  const units = new Float64Array(inA.length)
  addEntries(a.units, inA, b.units, inB, units)
  return { attributes: a.attributes, partitions, units }
}

/** A function of its own, over typed arrays alone, for the reason that elimination.ts gives. */
function addEntries(a: Float64Array, inA: Int32Array, b: Float64Array, inB: Int32Array, sums: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = addUnits(a[inA[i]!]!, b[inB[i]!]!)
}
