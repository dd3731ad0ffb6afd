import { type Partition, singletons } from '../../../model/index.ts'

/** One attribute at every coarseness, the finest first: each level merges groups of the one before. */
export type Levels = readonly Partition[]

/**
 * Groups the codes of one attribute by mass, at falling coarseness. Codes come in an order in which neighbours may be merged. At
 * each threshold a code (or group) of at least that mass stays alone, and runs of smaller ones close when they reach it. One or
 * two codes are never merged. Where there would be more groups than `mostGroups`, the threshold is raised.
 */
export function levelsOf(
  order: Int32Array,
  masses: Float64Array,
  thresholds: readonly number[],
  mostGroups: number,
): Levels {
  const size = masses.length
  if (size <= 2) return thresholds.map(() => singletons(size))
  const levels: Partition[] = []
  // Borders between groups, as places in the order.
  let starts = Array.from(order, (_, place) => place)
  const upTo = new Float64Array(size + 1)
  for (let place = 0; place < size; place++) upTo[place + 1] = upTo[place]! + masses[order[place]!]!
  for (const threshold of thresholds) {
    const ends = [...starts.slice(1), size]
    const groups = starts.map((start, g) => upTo[ends[g]!]! - upTo[start]!)
    const wanted = runs(groups, threshold)
    // Between two groups that reach the threshold there is at most one that does not.
    const kept = wanted.length <= mostGroups ? wanted : runs(groups, (2 * upTo[size]!) / (mostGroups - 1))
    const next = kept.map((g) => starts[g]!)
    levels.push(next.length === starts.length && levels.length > 0 ? levels.at(-1)! : partitionOf(order, next))
    starts = next
  }
  return levels
}

/** The first place of each run. */
function runs(masses: readonly number[], threshold: number): number[] {
  const firsts: number[] = []
  let open = false
  let sum = 0
  for (const [i, mass] of masses.entries()) {
    if (mass >= threshold) {
      firsts.push(i)
      open = false
      continue
    }
    if (!open) {
      firsts.push(i)
      open = true
      sum = 0
    }
    sum += mass
    if (sum >= threshold) open = false
  }
  return firsts
}

/** Groups are numbered by their first code, so that codes that are all alone have their own numbers. */
function partitionOf(order: Int32Array, starts: readonly number[]): Partition {
  const run = new Int32Array(order.length)
  for (const [g, start] of starts.entries()) {
    const end = starts[g + 1] ?? order.length
    for (let place = start; place < end; place++) run[order[place]!] = g
  }
  const numbers = new Map<number, number>()
  const groupOf = run.map((g) => {
    const number = numbers.get(g) ?? numbers.size
    numbers.set(g, number)
    return number
  })
  return { groupOf, count: starts.length }
}
