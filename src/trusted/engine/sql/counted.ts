/**
 * What a database says of its counts, looked at before it is taken in: one that says anything but whole numbers in their places is not in
 * order, and what it says must not pass for the table. Errors stay in the engine, which tells nobody what was said.
 */
const wrong = () => new RangeError('a result is not one of counts')

/** A place among so many. */
export function placeIn(size: number, place: unknown): number {
  const at = typeof place === 'bigint' ? Number(place) : place
  if (typeof at === 'number' && Number.isInteger(at) && at >= 0 && at < size) return at
  throw wrong()
}

/** A sum of whole numbers. */
export function wholeSum(sum: unknown): number | bigint {
  if (typeof sum === 'bigint' || (typeof sum === 'number' && Number.isInteger(sum))) return sum
  throw wrong()
}

/** Takes in a count, each place once. */
export function takeCount(counts: Float64Array, place: number, count: unknown): void {
  if (!(typeof count === 'number' && Number.isInteger(count) && count >= 0) || counts[place] !== 0) throw wrong()
  counts[place] = count
}

/** Takes in a group, once. */
export function takeGroup(groups: Set<string>, group: string): void {
  if (groups.has(group)) throw wrong()
  groups.add(group)
}
