import { answerStarts, type QueryList } from '../../../query/index.ts'
import { problem, type Universe, usage } from '../../../schema/index.ts'

/** More candidates than this are refused: each is a query of its own, and its answers stay in memory. */
const maxCandidates = 1_000_000

export function refuseTooMany(candidates: number): void {
  if (candidates <= maxCandidates) return
  throw problem(
    'not-supported',
    `the workload has ${candidates} queries; at most ${maxCandidates} can be chosen among`,
    'Ask for fewer ways or degrees, or list the queries.',
    { candidates, most: maxCandidates },
  )
}

/** Answers that are held at once: a model's, the exact ones and copies of both take a gigabyte and a half. */
const maxAnswers = 2 ** 25

/** Refuses marginals of more cells, all together, than fit in memory. */
export function refuseTooManyAnswers(queries: QueryList, universe: Universe): void {
  const answers = answerStarts(queries, universe).at(-1)!
  if (answers <= maxAnswers) return
  throw problem(
    'not-supported',
    `the queries of the workload have ${answers.toPrecision(3)} answers together; at most ${maxAnswers} can be held`,
    'Ask for fewer ways, or for coarser attributes; or list the queries that matter in a file.',
    { answers, most: maxAnswers },
  )
}

/** A number of attributes to combine. */
export function refuseWays(ways: number, attributes: number, what: string): void {
  if (Number.isInteger(ways) && ways >= 1 && ways <= attributes) return
  throw usage(`${what} must be a whole number from 1 to ${attributes}, the number of attributes`)
}
