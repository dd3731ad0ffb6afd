import type { MarginalList } from '../../../../query/index.ts'
import type { Universe } from '../../../../schema/index.ts'

/** Sets of attributes (positions in the universe), one after the other: there may be half a million. */
export interface AttributeSets {
  readonly length: number
  readonly members: Int32Array
  /** Where each set's members begin, and where the last ones end; where its counts do. */
  readonly from: Int32Array
  readonly starts: Float64Array
}

/** Counts that are made at once, 128 MB. */
export const mostAtOnce = 2 ** 24
/** More sets are not worth the search for few GROUP BYs. */
export const mostCovered = 256

/** The attributes that are in one of them, ascending. */
export function membersOf({ members }: AttributeSets, u: Universe): number[] {
  // A mark for each takes a tenth of the time of a Set, of a million members.
  const isMember = new Uint8Array(u.attributes.length)
  for (let m = 0; m < members.length; m++) isMember[members[m]!] = 1
  return [...isMember.keys()].filter((a) => isMember[a])
}

/** Whether these are counted in one reading of all records, rather than by GROUP BYs or in several. */
export const isOnePass = ({ length, starts }: AttributeSets): boolean =>
  length > mostCovered && starts[length]! <= mostAtOnce

export function setsFrom(sets: readonly (readonly number[])[], u: Universe): AttributeSets {
  const from = new Int32Array(sets.length + 1)
  for (const [i, set] of sets.entries()) from[i + 1] = from[i]! + set.length
  const members = new Int32Array(from[sets.length]!)
  for (const [i, set] of sets.entries()) members.set(set, from[i])
  return { length: sets.length, members, from, starts: startsOf(members, from, u) }
}

/** Each set in the order of its marginal's axes. */
export function setsOf(list: MarginalList, u: Universe): AttributeSets {
  const position = Int32Array.from(list.names, (name) => u.index.get(name)!)
  const members = new Int32Array(list.length * list.ways)
  for (let place = 0, next = 0; place < list.length; place++)
    for (let axis = 0; axis < list.ways; axis++) members[next++] = position[list.axis(place, axis)]!
  const from = new Int32Array(list.length + 1)
  for (let place = 0; place <= list.length; place++) from[place] = place * list.ways
  return { length: list.length, members, from, starts: startsOf(members, from, u) }
}

function startsOf(members: Int32Array, from: Int32Array, u: Universe): Float64Array {
  const sizes = Float64Array.from(u.attributes, ({ size }) => size)
  const starts = new Float64Array(from.length)
  for (let i = 0; i + 1 < from.length; i++) {
    let cells = 1
    for (let m = from[i]!; m < from[i + 1]!; m++) cells *= sizes[members[m]!]!
    starts[i + 1] = starts[i]! + cells
  }
  return starts
}
