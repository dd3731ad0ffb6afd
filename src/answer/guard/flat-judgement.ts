import type { Estimated, History } from '../../inference/index.ts'
import { one } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import type { GuardedQuery } from './guard-query.ts'
import { tellsTooMuch } from './too-much.ts'

/** The judgement of a purchase for an observer without prior knowledge: by the best unbiased estimate. */
export function judgeFlatly(
  guard: GuardedQuery,
  {
    before,
    after,
    alone,
    excuse,
  }: {
    readonly before: History
    readonly after: History
    readonly alone: readonly History[]
    readonly excuse: () => History
  },
): 'harmless' | 'too much' | 'too large' {
  const { query } = guard
  const known = after.estimate(query)
  if (known.leftOut > 0) return 'too large'
  if (!known.estimable && known.imprecise) return 'too much'
  if (!known.estimable) return isDoubtful(after, query) && !isDoubtful(before, query) ? 'too much' : 'harmless'
  const ways = [known, ...alone.map((history) => history.estimate(query)).filter((way) => way.estimable)]
  if (!ways.some(({ coefficients }) => tellsTooMuch(coefficients, guard))) return 'harmless'
  // If too much was revealed before the guard could prevent it, what makes it no worse is still for sale.
  return toldBefore(excuse(), ways, guard) ? 'harmless' : 'too much'
}

/** Rounding of two ways to the same variance. */
const sameVariance = 1e-9

/**
 * Was too much revealed already, and does the purchase reveal no more in any of these ways? If a variance is lost in
 * rounding because numbers are too far apart, or is not a number, the answer is no.
 */
function toldBefore(excuse: History, ways: readonly Estimated[], guard: GuardedQuery): boolean {
  const known = excuse.estimate(guard.query)
  if (!known.estimable || !Number.isFinite(known.variance) || !tellsTooMuch(known.coefficients, guard)) return false
  return ways.every(({ variance }) => variance >= known.variance * (1 - sameVariance))
}

/**
 * Does the history come so close to determining it that inference cannot prove the contrary? Elsewhere such doubt counts as
 * not knowing; here the safe side is to count it as knowing. An answer to the guarded query itself is
 * set aside by a history that cannot tell what it adds.
 */
export function isDoubtful(history: History, query: LinearQuery): boolean {
  const probe = history.fork()
  probe.append({ id: 'probe', query, law: { kind: 'laplace', scale: one }, values: Float64Array.of(0) })
  return probe.estimate(query).leftOut > 0
}
