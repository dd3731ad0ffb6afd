import { answerSize, attributesOf, type LinearQuery, marginalOver } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { AnswerSheet } from './fitted-model.ts'

/** A sheet for these queries, all answers 0 until a model fills it. */
export function answerSheet(queries: readonly LinearQuery[], universe: Universe): AnswerSheet {
  const starts = new Float64Array(queries.length + 1)
  for (const [i, query] of queries.entries()) starts[i + 1] = starts[i]! + answerSize(query, universe)
  return {
    queries,
    attributes: queries.map((query) => positionsOf(query, universe)),
    starts,
    values: new Float64Array(starts[queries.length]!),
  }
}

/** The attributes that a query looks at, as ascending positions in the universe. */
function positionsOf(query: LinearQuery, universe: Universe): readonly number[] {
  const positions = (marginalOver(query) ?? attributesOf(query, universe)).map((name) => universe.index.get(name)!)
  return positions.sort((a, b) => a - b)
}
