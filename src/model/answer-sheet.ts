import {
  answerStarts,
  attributesOf,
  type LinearQuery,
  MarginalList,
  marginalOver,
  type QueryList,
} from '../query/index.ts'
import type { Universe } from '../schema/index.ts'
import type { AnswerSheet } from './fitted-model.ts'

/** A sheet for these queries, all answers 0 until a model fills it. */
export function answerSheet(queries: QueryList, universe: Universe): AnswerSheet {
  const sets = queries instanceof MarginalList ? marginalSets(queries, universe) : setsOf(queries, universe)
  const starts = answerStarts(queries, universe)
  return {
    queries,
    attributesOf: (place, into = []) => setAt(sets, place, into),
    isMarginal: sets.isMarginal,
    placesOf: placesOf(sets, universe.attributes.length),
    starts,
    values: new Float64Array(starts.at(-1)!),
  }
}

/** What each query looks at, one after the other: there may be half a million. */
interface QuerySets extends Pick<AnswerSheet, 'isMarginal'> {
  /** Positions in the universe, each query's ascending. */
  readonly members: Int32Array
  /** Where those of each begin, and where the last ones end. */
  readonly from: Int32Array
}

function setAt({ members, from }: QuerySets, place: number, into: number[]): number[] {
  into.length = from[place + 1]! - from[place]!
  for (let i = 0; i < into.length; i++) into[i] = members[from[place]! + i]!
  return into
}

function setsOf(queries: QueryList, universe: Universe): QuerySets {
  const from = new Int32Array(queries.length + 1)
  const isMarginal = new Uint8Array(queries.length)
  const members: number[] = []
  let place = 0
  for (const query of queries) {
    const positions = positionsOf(query, universe)
    const over = marginalOver(query)
    isMarginal[place] = Number(over?.every((name, i) => universe.index.get(name) === positions[i]) ?? false)
    members.push(...positions)
    from[++place] = members.length
  }
  return { members: Int32Array.from(members), from, isMarginal }
}

function marginalSets(list: MarginalList, universe: Universe): QuerySets {
  const position = Int32Array.from(list.names, (name) => universe.index.get(name)!)
  const { ways, length } = list
  const members = new Int32Array(length * ways)
  const isMarginal = new Uint8Array(length).fill(1)
  for (let place = 0; place < length; place++) {
    const first = place * ways
    for (let axis = 0; axis < ways; axis++) {
      members[first + axis] = position[list.axis(place, axis)]!
      if (axis > 0 && members[first + axis]! < members[first + axis - 1]!) isMarginal[place] = 0
    }
    if (!isMarginal[place]) members.subarray(first, first + ways).sort()
  }
  const from = new Int32Array(length + 1)
  for (let place = 0; place <= length; place++) from[place] = place * ways
  return { members, from, isMarginal }
}

function placesOf({ members, from }: QuerySets, attributes: number): Int32Array[] {
  const counts = new Int32Array(attributes)
  for (let i = 0; i < members.length; i++) counts[members[i]!]!++
  const places = Array.from(counts, (count) => new Int32Array(count))
  for (let place = from.length - 2; place >= 0; place--)
    for (let i = from[place]!; i < from[place + 1]!; i++) places[members[i]!]![--counts[members[i]!]!] = place
  return places
}

/** The attributes that a query looks at, as ascending positions in the universe. */
function positionsOf(query: LinearQuery, universe: Universe): readonly number[] {
  const positions = (marginalOver(query) ?? attributesOf(query, universe)).map((name) => universe.index.get(name)!)
  return positions.sort((a, b) => a - b)
}
