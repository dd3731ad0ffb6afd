import { ReticentError, usage } from '../../../schema/index.ts'

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

/** A number of attributes to combine. */
export function refuseWays(ways: number, attributes: number, what: string): void {
  if (Number.isInteger(ways) && ways >= 1 && ways <= attributes) return
  throw usage(`${what} must be a whole number from 1 to ${attributes}, the number of attributes`)
}
