import { type Policy, ReticentError } from '../../schema/index.ts'
import { type AnswerCharge, isAnswer } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { type Approve, approveAll } from '../../trusted/meter/index.ts'
import { Evidence } from './evidence.ts'
import { judgeFlatly } from './flat-judgement.ts'
import { Frontier } from './frontier.ts'
import { type GuardedQuery, readGuards } from './guard-query.ts'
import { judgeByPrior } from './prior-judgement.ts'
import { type Judged, SeenAnswers } from './seen-answers.ts'

/**
 * Refuses in advance what would let the history tell a guarded query within ± `within` more surely than `confidence`
 * (Bayesian paper, §5). What is released is judged by its queries and laws alone, never by a value, so a refusal tells
 * nothing. This controls inferences of one kind, best linear estimates under a flat and a finite prior; it is not
 * differential privacy, which the ledger keeps whether or not there are guards. `random` gives uniform numbers below 1, for proofs.
 */
export async function guardsFor(policy: Policy, book: Book, random: () => number): Promise<Approve> {
  const guards = await readGuards(policy, random)
  if (guards.length === 0) return approveAll
  const publicCount = policy.privacy.neighbours === 'replace-one'
  const seen = new SeenAnswers(book, Evidence.none(guards, book.universe, { publicCount, random }))
  const refused = (charges: readonly AnswerCharge[], run?: number): ReticentError | undefined => {
    // The best estimate has the least variance, which is not always the narrowest interval: also by themselves, all of
    // them and, where they are few, each.
    const apart = charges.length > 1 && charges.length <= mostApart ? charges.map((charge) => [charge]) : []
    const alone = [charges, ...apart].map((some) => seen.alone(some))
    for (const judged of seen.judged(charges, run))
      for (const [i, guard] of guards.entries())
        for (const verdict of verdicts(guard, i, judged, alone))
          if (verdict !== 'harmless') return errors[verdict](guard)
    return undefined
  }
  const frontiers = new Map<number, Frontier>()
  return (charges, run) => {
    forgetClosed(run)
    // What a choice or a distance tells about a guarded query no estimate of ours says: neither is sold, and where one was
    // before there was a guard, nobody can say what a purchase would add up to.
    const isUnjudged = () => run === undefined && book.releases.some((release) => !release.charges.every(isAnswer))
    if (!charges.every(isAnswer) || isUnjudged()) throw unjudged(guards[0]!)
    const error = run === undefined ? besideRuns(charges) : frontierOf(run).check(charges)
    if (error) throw error
  }

  /**
   * Also beside what open runs of this process have come to. What a run may show at most can tell too much already, and
   * then excuses what adds nothing to it; what it has shown does not.
   */
  function besideRuns(charges: readonly AnswerCharge[], run?: number): ReticentError | undefined {
    const beside = [...frontiers].flatMap(([other, { known }]) => (other === run ? [] : known))
    return refused(charges, run) ?? (beside.length > 0 ? refused([...beside, ...charges], run) : undefined)
  }
  function frontierOf(run: number): Frontier {
    const known = frontiers.get(run) ?? new Frontier((charges) => besideRuns(charges, run))
    frontiers.set(run, known)
    return known
  }
  function forgetClosed(asking?: number): void {
    for (const run of frontiers.keys()) {
      if (run === asking || book.releases.some(({ seq, state }) => seq === run && state === 'open')) continue
      frontiers.delete(run)
      seen.forget(run)
    }
  }
}

/** So many charges are looked at one by one. */
const mostApart = 64

/** A purchase must be harmless to somebody who knew nothing before, and in every world of the guard. */
function* verdicts(guard: GuardedQuery, i: number, { before, after }: Judged, alone: readonly Evidence[]) {
  const flat = alone.map((evidence) => evidence.flat)
  yield judgeFlatly(guard, before.flat, after.flat, flat)
  for (const [w, world] of after.worlds[i]!.entries()) {
    const others = alone.map((evidence) => evidence.worlds[i]![w]!)
    yield judgeByPrior(guard, before.worlds[i]![w]!, world, others)
  }
}

const guarded = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `this would tell too much about what the policy guards: ${stated.query}`,
    detail: `Nobody may know it within ±${stated.within} with more than ${100 * stated.confidence}% confidence.`,
    hint: 'Ask less precisely, or about a larger group.',
  })

const unjudged = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `how much choices tell about what the policy guards cannot be judged: ${stated.query}`,
    detail:
      'Choices by the data and distances from a model are not sold under guards, nor anything once they were sold.',
    hint: 'Release by a method that only measures. Where the guard is new, the owner can take it back.',
  })

const tooLarge = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `with this the history would be too large to check what the policy guards: ${stated.query}`,
    hint: 'Ask for fewer groups at once.',
  })

const errors = { 'too much': guarded, 'too large': tooLarge }
