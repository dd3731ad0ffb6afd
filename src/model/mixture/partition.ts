/** The codes of one attribute, sorted into groups: `groupOf` has one number per code, -1 for a code that is in none. */
export interface Partition {
  readonly groupOf: Int32Array
  readonly count: number
}

/** Every code by itself. */
export const singletons = (size: number): Partition => ({
  groupOf: Int32Array.from({ length: size }, (_, code) => code),
  count: size,
})

/** The coarsest partition of all codes of which each of these is a coarser one: codes stay together that none tells apart. */
export function refinement(size: number, partitions: readonly Partition[]): Partition {
  let groupOf = new Int32Array(size)
  let count = 1
  for (const partition of partitions) {
    const found = new Map<number, number>()
    // Groups from -1 up, so one more than there are.
    groupOf = groupOf.map((group, code) => {
      const key = group * (partition.count + 1) + partition.groupOf[code]! + 1
      const known = found.get(key) ?? found.size
      found.set(key, known)
      return known
    })
    count = found.size
  }
  return { groupOf, count }
}

/** The group of every atom, where the atoms are a refinement of the partition. */
export function groupsOfAtoms(partition: Partition, atoms: Partition): Int32Array {
  const groups = new Int32Array(atoms.count)
  for (const [code, atom] of atoms.groupOf.entries()) groups[atom] = partition.groupOf[code]!
  return groups
}

/** Sums over the codes of each group. */
export function groupSums({ groupOf, count }: Partition, values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(count)
  for (let code = 0; code < groupOf.length; code++) if (groupOf[code]! >= 0) sums[groupOf[code]!]! += values[code]!
  return sums
}
