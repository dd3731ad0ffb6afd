import type { Group } from '../ask/columns.ts'

/** A group as it was when it was bought, and as it is now. */
interface GroupPair {
  readonly before: Group
  /** Undefined where HAVING or LIMIT now leaves it out. */
  readonly now: Group | undefined
}

/** Groups by their keys: one that is sorted by its noisy number may have another place now. */
export function groupPairs(before: readonly Group[], now: readonly Group[]): GroupPair[] {
  const later = new Map(now.map((group) => [nameOf(group), group]))
  return before.map((group) => ({ before: group, now: later.get(nameOf(group)) }))
}

/** A total over a key has NULL there as well, and is told from a missing value by `all`. */
const nameOf = ({ key, all }: Group): string => JSON.stringify([key, all])
