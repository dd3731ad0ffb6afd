import { repeatable, toNumber } from '../../numeric/index.ts'
import { type LinearQuery, queryKey } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { type DrawnLaw, type ScalarAnswer, spreadOf } from './answer.ts'
import { type Span, spanOf } from './span.ts'

/** So many noisy numbers are looked at together. */
export const mostAnswers = 50

/** All noisy numbers of one query. */
interface AskedQuery {
  readonly query: LinearQuery
  readonly step: number
  readonly answers: readonly { readonly value: number; readonly law: DrawnLaw }[]
}

/** Noisy answers by query, the most precise first, and how these queries and a question hang together. */
export interface Evidence {
  readonly asked: readonly AskedQuery[]
  readonly span: Span
}

/** Numbers below 1 for simulations about these answers: the same answers are always believed the same. */
export const repeatableFrom = ({ asked }: Evidence): (() => number) =>
  repeatable(asked.flatMap(({ answers }) => answers.map(({ value, law }) => `${value} ${spreadOf(law)}`)).join())

/** undefined where there are too many, or where they do not tell the question for certain. */
export function evidenceOf(
  answers: readonly ScalarAnswer[],
  question: LinearQuery,
  { universe, random }: { readonly universe: Universe; readonly random: () => number },
): Evidence | undefined {
  if (answers.length > mostAnswers) return undefined
  const byQuery = Map.groupBy(answers, ({ query }) => queryKey(query))
  const asked = Array.from(byQuery.values(), (same) => ({
    query: same[0]!.query,
    step: toNumber(same[0]!.query.step),
    answers: same,
  })).sort((a, b) => spread(a) - spread(b))
  const queries = asked.map(({ query }) => query)
  const isItself = asked.length === 1 && byQuery.has(queryKey(question))
  const span = isItself ? itself : spanOf(queries, question, universe, random)
  return span && { asked, span }
}

/** Of answers to the question itself, however large the universe. */
const itself: Span = { basis: [0], weights: [Float64Array.of(1)], question: Float64Array.of(1) }

const spread = ({ step, answers }: AskedQuery) => step * Math.min(...answers.map(({ law }) => spreadOf(law)))
