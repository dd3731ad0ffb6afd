import { answerSize, attributesOf, type LinearQuery, marginalOver } from '../query/index.ts'
import type { Universe } from '../schema/index.ts'
import type { AnswerSheet } from './fitted-model.ts'

/** A sheet for these queries, all answers 0 until a model fills it. */
export function answerSheet(queries: readonly LinearQuery[], universe: Universe): AnswerSheet {
  const starts = new Float64Array(queries.length + 1)
  for (const [i, query] of queries.entries()) starts[i + 1] = starts[i]! + answerSize(query, universe)
  const attributes = queries.map((query) => positionsOf(query, universe))
  return {
    queries,
    attributes,
    placesOf: placesOf(attributes, universe.attributes.length),
    starts,
    values: new Float64Array(starts[queries.length]!),
  }
}

function placesOf(sets: readonly (readonly number[])[], attributes: number): Int32Array[] {
  const counts = new Int32Array(attributes)
  for (const set of sets) for (let i = 0; i < set.length; i++) counts[set[i]!]!++
  const places = Array.from(counts, (count) => new Int32Array(count))
  for (let place = sets.length - 1; place >= 0; place--) {
    const set = sets[place]!
    for (let i = 0; i < set.length; i++) places[set[i]!]![--counts[set[i]!]!] = place
  }
  return places
}

/** The attributes that a query looks at, as ascending positions in the universe. */
function positionsOf(query: LinearQuery, universe: Universe): readonly number[] {
  const positions = (marginalOver(query) ?? attributesOf(query, universe)).map((name) => universe.index.get(name)!)
  return positions.sort((a, b) => a - b)
}
