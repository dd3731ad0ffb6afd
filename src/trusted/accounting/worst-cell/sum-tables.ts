import { strides } from '../../../numeric/index.ts'
import { addUnits } from '../units.ts'
import { entriesOf } from '../weights.ts'
import type { CostTable } from './cost-table.ts'
import { type Partition, refine, whole } from './partition.ts'

/** For each entry of a table over some axes, the sum of one offset per axis: where that entry lies in another table. */
export function gather(offsets: readonly Int32Array[]): Int32Array {
  let places = offsets[0] ?? Int32Array.of(0)
  for (let axis = 1; axis < offsets.length; axis++) {
    const next = new Int32Array(places.length * offsets[axis]!.length)
    addEach(places, offsets[axis]!, next)
    places = next
  }
  return places
}

/** Every place with every offset. */
function addEach(places: Int32Array, offsets: Int32Array, sums: Int32Array): void {
  for (let i = 0, at = 0; i < places.length; i++)
    for (let c = 0; c < offsets.length; c++, at++) sums[at] = places[i]! + offsets[c]!
}

/** Per axis: what each class adds to the place of an entry in a table of these sizes. */
export const offsetsOf = (sizes: readonly number[], classes: readonly Int32Array[]): Int32Array[] => {
  const step = strides(sizes)
  return classes.map((c, axis) => times(c, step[axis]!))
}
function times(numbers: Int32Array, factor: number): Int32Array {
  if (factor === 1) return numbers
  const products = new Int32Array(numbers.length)
  for (let i = 0; i < products.length; i++) products[i] = numbers[i]! * factor
  return products
}

/** a + b, where a has all attributes of b, on the classes that both respect; undefined beyond `limit` entries. */
export function sumTables(a: CostTable, b: CostTable, limit: number): CostTable | undefined {
  const { attributes } = a
  const lifted = attributes.map((attribute) => b.partitions[b.attributes.indexOf(attribute)] ?? whole)
  const refined = lifted.map((p, axis) => refine(a.partitions[axis]!, p))
  const partitions = refined.map((r) => r.partition)
  if (entriesOf(partitions) > limit) return undefined
  const places = (of: readonly Partition[], end: 'first' | 'second') =>
    gather(
      offsetsOf(
        of.map((p) => p.count),
        refined.map((r) => r[end]),
      ),
    )
  const isSplit = partitions.some((p, axis) => p !== a.partitions[axis])
  const units = isSplit ? entriesAt(a.units, places(a.partitions, 'first')) : a.units.slice()
  addEntries(b.units, places(lifted, 'second'), units)
  return { attributes, partitions, units }
}

// Functions of their own, over typed arrays alone, for the reason that elimination.ts gives.
function entriesAt(units: Float64Array, places: Int32Array): Float64Array {
  const entries = new Float64Array(places.length)
  for (let i = 0; i < entries.length; i++) entries[i] = units[places[i]!]!
  return entries
}
function addEntries(units: Float64Array, places: Int32Array, sums: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = addUnits(sums[i]!, units[places[i]!]!)
}
