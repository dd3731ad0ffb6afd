import { compare, type Rational, zero } from '../../numeric/index.ts'
import type { Integers, QueryList } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { DistanceSensitivities, type Held, reachOf, runHold } from '../accounting/index.ts'
import type { ExactAnswers } from '../exact/index.ts'
import type { Draws, DrawsRequest } from './draws.ts'
import { OpenDraws } from './open-draws.ts'
import { type Parts, reserve } from './reserve.ts'
import type { OnBehalf } from './run.ts'
import { Reservation } from './run-cost.ts'

/** If computing the exact answers fails after the reservation, it stays open in the ledger and its budget is held for good. */
export async function openDraws(
  request: DrawsRequest & OnBehalf,
  parts: Parts,
  exactAnswers: (queries: QueryList) => Promise<ExactAnswers<Integers>>,
): Promise<Draws> {
  const { queries, analyst, statement, plannedAt } = request
  if (queries.length === 0) throw new ReticentError('query-invalid', {}, { message: 'there must be queries to draw' })
  const held = heldBy(request, parts)
  const reservation = new Reservation({ ...held, queries }, parts)
  const row = { kind: 'run-open', analyst: analyst?.name ?? null, statement, ...held, queries, grid: null } as const
  const asked = runHold(held)
  const terms = { universe: parts.book.universe, privacy: parts.book.terms }
  // Computed once, before the data are read: selections need them again.
  const moved = new DistanceSensitivities(queries, terms)
  const reach = () => reachOf(row, terms, moved)
  const { stored, approved } = await reserve(parts, {
    row,
    charges: [],
    analyst,
    asked,
    held: asked,
    shown: [],
    reach,
    plannedAt,
  })
  const exact = await exactAnswers(queries)
  return new OpenDraws({
    head: stored,
    exact,
    queries,
    moved,
    reservation,
    approved,
    parts,
    holdsRho: held.rho !== undefined,
  })
}

function heldBy({ epsilon, rho }: { epsilon?: Rational; rho?: Rational }, { book }: Parts): Held {
  const invalid = (message: string) => new ReticentError('scale-invalid', {}, { message })
  const amount = rho ?? epsilon
  if (!amount || (rho && epsilon)) throw invalid('a run holds either ε or ρ')
  if (compare(amount, zero) <= 0) throw invalid(`${rho ? 'ρ' : 'ε'} must be above 0`)
  if (rho && book.cap.rho === null) throw invalid('a run can hold ρ only if the policy has a δ above 0')
  return rho ? { rho } : { epsilon: amount }
}
