import { answerStarts, type QueryList } from '../../../query/index.ts'
import { ReticentError, type Universe, usage } from '../../../schema/index.ts'

/** More candidates than this are refused: each is a query of its own, and its answers stay in memory. */
const maxCandidates = 1_000_000

export function refuseTooMany(candidates: number): void {
  if (candidates <= maxCandidates) return
  throw new ReticentError(
    'not-supported',
    { candidates, most: maxCandidates },
    {
      message: `the workload has ${candidates} queries; at most ${maxCandidates} can be chosen among`,
      hint: 'Ask for fewer ways or degrees, or list the queries.',
    },
  )
}

/** Answers that are held at once: a model's, the exact ones and copies of both take a gigabyte and a half. */
const maxAnswers = 2 ** 25

/** Refuses marginals of more cells, all together, than fit in memory. */
export function refuseTooManyAnswers(queries: QueryList, universe: Universe): void {
  const answers = answerStarts(queries, universe).at(-1)!
  if (answers <= maxAnswers) return
  throw new ReticentError(
    'not-supported',
    { answers, most: maxAnswers },
    {
      message: `the queries of the workload have ${answers.toPrecision(3)} answers together; at most ${maxAnswers} can be held`,
      hint: 'Ask for fewer ways, or for coarser attributes; or list the queries that matter in a file.',
    },
  )
}

/** A number of attributes to combine. */
export function refuseWays(ways: number, attributes: number, what: string): void {
  if (Number.isInteger(ways) && ways >= 1 && ways <= attributes) return
  throw usage(`${what} must be a whole number from 1 to ${attributes}, the number of attributes`)
}
