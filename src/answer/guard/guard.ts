import { type Policy, problem, ReticentError } from '../../schema/index.ts'
import { type AnswerCharge, type Charge, isAnswer } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { type Approve, approveAll } from '../../trusted/meter/index.ts'
import { Evidence } from './evidence.ts'
import { judgeFlatly } from './flat-judgement.ts'
import { Frontier } from './frontier.ts'
import { type GuardedQuery, readGuards } from './guard-query.ts'
import { judgeByPrior } from './prior-judgement.ts'
import { type Judged, SeenAnswers } from './seen-answers.ts'

/**
 * Refuses in advance what would reveal a guarded query within ± `within` with more than `confidence`
 * (Bayesian paper, §5). What is released is judged by its queries and laws alone, never by a value, so a refusal reveals
 * nothing. This controls inferences of one kind, best linear estimates under a flat and a finite prior; it is not
 * differential privacy, which the ledger keeps whether or not there are guards. `random` gives uniform numbers below 1, for proofs.
 */
export async function guardsFor(policy: Policy, book: Book, random: () => number): Promise<Approve> {
  const guards = await readGuards(policy, random)
  if (guards.length === 0) return approveAll
  const publicCount = policy.privacy.neighbours === 'replace-one'
  const none = Evidence.none(guards, book.universe, { publicCount, random })
  // A guard that is in no row yet begins now.
  const since = policy.guards.map((guard) => book.guardedSince(guard) ?? book.head.seq + 1)
  const check = new GuardCheck(
    guards.map((guard, i) => ({ guard, since: since[i]! })),
    book,
    none,
  )
  return (charges, run) => check.approve(charges, run)
}

interface KeptGuard {
  readonly guard: GuardedQuery
  /** The row since which it has been kept: what was sold before that was not judged by it. */
  readonly since: number
}

/** The guards of a policy, what they have seen, and the runs that they watch. */
class GuardCheck {
  readonly #guards: readonly KeptGuard[]
  readonly #book: Book
  readonly #seen: SeenAnswers
  readonly #frontiers = new Map<number, Frontier>()

  constructor(guards: readonly KeptGuard[], book: Book, none: Evidence) {
    this.#guards = guards
    this.#book = book
    this.#seen = new SeenAnswers(book, none)
  }

  approve(charges: readonly Charge[], run?: number): void {
    this.#forgetClosed(run)
    // No estimate says what a choice or a distance reveals about a guarded query. So neither is sold; and if one was sold
    // before there was a guard, nobody can say what it and a purchase reveal together.
    const isUnjudged = () =>
      run === undefined && this.#book.releases.some((release) => !release.charges.every(isAnswer))
    if (!charges.every(isAnswer) || isUnjudged()) throw unjudged(this.#guards[0]!.guard)
    const error = run === undefined ? this.#besideRuns(charges) : this.#frontierOf(run).check(charges)
    if (error) throw error
  }

  #refused(charges: readonly AnswerCharge[], run?: number): ReticentError | undefined {
    // The best estimate has the least variance, which is not always the narrowest interval: also by themselves, all of
    // them and, where they are few, each.
    const apart = charges.length > 1 && charges.length <= mostApart ? charges.map((charge) => [charge]) : []
    const alone = [charges, ...apart].map((some) => this.#seen.alone(some))
    for (const judged of this.#seen.judged(charges, run))
      for (const [i, kept] of this.#guards.entries())
        for (const verdict of verdicts(kept, i, judged, alone))
          if (verdict !== 'harmless') return errors[verdict](kept.guard)
    return undefined
  }

  /**
   * Also together with what open runs of this process may reveal. If the most that a run may reveal is too much already,
   * that excuses what adds nothing to it; what it has revealed so far is no excuse.
   */
  #besideRuns(charges: readonly AnswerCharge[], run?: number): ReticentError | undefined {
    const beside = [...this.#frontiers].flatMap(([other, { known }]) => (other === run ? [] : known))
    return this.#refused(charges, run) ?? (beside.length > 0 ? this.#refused([...beside, ...charges], run) : undefined)
  }

  #frontierOf(run: number): Frontier {
    const known = this.#frontiers.get(run) ?? new Frontier((charges) => this.#besideRuns(charges, run))
    this.#frontiers.set(run, known)
    return known
  }

  #forgetClosed(asking?: number): void {
    for (const run of this.#frontiers.keys()) {
      if (run === asking || this.#book.releases.some(({ seq, state }) => seq === run && state === 'open')) continue
      this.#frontiers.delete(run)
      this.#seen.forget(run)
    }
  }
}

/** Up to this many charges are judged one by one. */
const mostApart = 64

/** A purchase must be harmless to somebody who knew nothing before, and in every world of the guard. */
function* verdicts({ guard, since }: KeptGuard, i: number, judged: Judged, alone: readonly Evidence[]) {
  const { before, after } = judged
  const flat = alone.map((evidence) => evidence.flat)
  const excuse = () => judged.excuse(since)
  yield judgeFlatly(guard, { before: before.flat, after: after.flat, alone: flat, excuse: () => excuse().flat })
  for (const [w, world] of after.worlds[i]!.entries()) {
    const others = alone.map((evidence) => evidence.worlds[i]![w]!)
    yield judgeByPrior(guard, { after: world, alone: others, excuse: () => excuse().worlds[i]![w]! })
  }
}

const guarded = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `this would reveal too much about a number that the policy guards: ${stated.query}`,
    detail: `Nobody may know it within ±${stated.within} with more than ${100 * stated.confidence}% confidence.`,
    hint: 'Ask less precisely, or about a larger group.',
  })

const unjudged = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `how much a choice would reveal about a number that the policy guards cannot be computed: ${stated.query}`,
    detail:
      'With guards, choices that depend on the data and distances from a model are not sold. Nor is anything else, once any of them have been sold.',
    hint: 'Use a method that only measures. If the guard is new, the owner can remove it.',
  })

const tooLarge = ({ stated }: GuardedQuery) =>
  problem(
    'guarded',
    `with this, the history would be too large to check a number that the policy guards: ${stated.query}`,
    'Ask for fewer groups at once.',
    stated,
  )

const errors = { 'too much': guarded, 'too large': tooLarge }
