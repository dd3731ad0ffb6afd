import { type Estimated, type History, posteriorByCharacteristic } from '../../inference/index.ts'
import { one, toNumber } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { type Policy, ReticentError } from '../../schema/index.ts'
import type { Charge } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Approve } from '../../trusted/meter/index.ts'
import { blurFor } from '../price/choice.ts'
import { Frontier } from './frontier.ts'
import { type GuardedQuery, readGuards } from './guard-query.ts'
import { Standing } from './standing.ts'

/**
 * Refuses in advance what would let the history tell a guarded query within ± `within` more surely than `confidence`
 * (Bayesian paper, §5). What is released is judged by its queries and laws alone, never by a value, so a refusal tells
 * nothing. This controls one inference, the best linear estimate under a flat prior; it is not differential privacy,
 * which the ledger keeps whether or not there are guards. `random` gives uniform numbers below 1, for proofs.
 */
export async function guardsFor(policy: Policy, book: Book, random: () => number): Promise<Approve> {
  const guards = await readGuards(policy, random)
  if (guards.length === 0) return () => {}
  const standing = new Standing(book, random)
  const refused = (charges: readonly Charge[], run?: number): ReticentError | undefined => {
    // The best estimate has the least variance, which is not always the narrowest interval: also by themselves, all of
    // them and, where they are few, each.
    const apart = charges.length > 1 && charges.length <= mostApart ? charges.map((charge) => [charge]) : []
    const alone = [charges, ...apart].map((some) => standing.alone(some))
    for (const { before, after } of standing.judged(charges, run))
      for (const guard of guards) {
        const known = after.estimate(guard.query)
        if (known.leftOut > 0) return tooMany(guard)
        if (known.estimable) {
          const ways = [known, ...alone.map((history) => history.estimate(guard.query)).filter((way) => way.estimable)]
          if (!ways.some((way) => tellsTooMuch(way, guard))) continue
          // Too much may have been sold before there was a guard. What makes it no worse is still for sale.
          if (!toldBefore(before, ways, guard)) return guarded(guard)
        } else if (isDoubtful(after, guard.query) && !isDoubtful(before, guard.query)) return guarded(guard)
      }
    return undefined
  }
  const frontiers = new Map<number, Frontier>()
  return (charges, run) => {
    forgetClosed(run)
    const error = run === undefined ? besideRuns(charges) : frontierOf(run).check(charges)
    if (error) throw error
  }

  /**
   * Also beside what open runs of this process have come to. What a run may show at most can tell too much already, and
   * then excuses what adds nothing to it; what it has shown does not.
   */
  function besideRuns(charges: readonly Charge[], run?: number): ReticentError | undefined {
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
      standing.forget(run)
    }
  }
}

/** So many charges are looked at one by one. */
const mostApart = 64

/** Rounding of two ways to the same variance. */
const sameVariance = 1e-9

/**
 * Did the history tell too much already, and does it tell no more in any of these ways? Where numbers are so far apart
 * that a variance is lost in rounding, or not a number, the answer is no.
 */
function toldBefore(before: History, ways: readonly Estimated[], guard: GuardedQuery): boolean {
  const known = before.estimate(guard.query)
  if (!known.estimable || !Number.isFinite(known.variance) || !tellsTooMuch(known, guard)) return false
  return ways.every(({ variance }) => variance >= known.variance * (1 - sameVariance))
}

/**
 * Does the history come so near to telling it that inference cannot prove the contrary? Elsewhere such doubt means that
 * nothing is known; here it is on the safe side to take it for knowledge. An answer to the guarded query itself is
 * set aside by a history that cannot tell what it adds.
 */
export function isDoubtful(history: History, query: LinearQuery): boolean {
  const probe = history.fork()
  probe.append({ id: 'probe', query, law: { kind: 'laplace', scale: one }, values: Float64Array.of(0) })
  return probe.estimate(query).leftOut > 0
}

/**
 * Could the posterior put more than the confidence on some interval of half-width `within`? Errs towards yes: by what
 * the posterior may be blurred and off, and by half a step, as the interval that holds most need not be centred.
 */
function tellsTooMuch({ coefficients }: Estimated, { query, within, confidence }: GuardedQuery): boolean {
  const posterior = posteriorByCharacteristic(coefficients, { blur: blurFor({ within, confidence }) })
  const reach = within + toNumber(query.step) / 2 + posterior.blur
  return !(posterior.between(-reach, reach) + posterior.slack <= confidence)
}

const guarded = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `this would tell too much about what the policy guards: ${stated.query}`,
    detail: `Nobody may know it within ±${stated.within} with more than ${100 * stated.confidence}% confidence.`,
    hint: 'Ask less precisely, or about a larger group.',
  })

const tooMany = ({ stated }: GuardedQuery) =>
  new ReticentError('guarded', stated, {
    message: `with this the history would be too large to check what the policy guards: ${stated.query}`,
    hint: 'Ask for fewer groups at once.',
  })
