import { type Estimated, type History, openHistory, posteriorByCharacteristic } from '../inference/index.ts'
import { toNumber } from '../numeric/index.ts'
import { answerSize, canonicalJson, lawToJson, type NoiseLaw, queryToJson } from '../query/index.ts'
import { type Policy, ReticentError } from '../schema/index.ts'
import type { Charge } from '../trusted/accounting/index.ts'
import { type Book, measurementId } from '../trusted/ledger/index.ts'
import type { Approve } from '../trusted/meter/index.ts'
import { blurFor } from './choice.ts'
import { type GuardedQuery, publicly, readGuards } from './guard-query.ts'

/**
 * Refuses in advance what would let the history tell a guarded query within ± `within` more surely than `confidence`
 * (Bayesian paper, §5). What is released is judged by its queries and laws alone, never by a value, so a refusal tells
 * nothing. This controls one inference, the best linear estimate under a flat prior; it is not differential privacy,
 * which the ledger keeps whether or not there are guards. `random` gives uniform numbers below 1, for proofs.
 */
export async function guardsFor(policy: Policy, book: Book, random: () => number): Promise<Approve> {
  const guards = await readGuards(policy, random)
  const told = (all: Iterable<Charge>): History => {
    const history = openHistory(book.universe, { random, ...publicly(book.terms) })
    let next = 0
    for (const { query, law } of all) {
      // An estimate's coefficients and variance do not depend on the answers: any will do.
      const values = new Float64Array(answerSize(query, book.universe))
      history.append({ id: String(next++), query, law, values })
    }
    return history
  }
  return (charges, run) => {
    if (guards.length === 0) return
    const released = standing(book, run)
    const after = told(replaced(released, charges))
    // The best estimate has the least variance, which is not always the narrowest interval: also by themselves.
    const alone = told(charges)
    let before: History | undefined
    for (const guard of guards) {
      const known = after.estimate(guard.query)
      if (known.leftOut > 0) throw tooMany(guard)
      const ways = [known, alone.estimate(guard.query)]
      if (!known.estimable || !ways.some((way) => way.estimable && tellsTooMuch(way, guard))) continue
      // Too much may have been sold before there was a guard. What makes it no worse is still for sale.
      before ??= told(released.values())
      if (narrows(before, known, guard)) throw guarded(guard)
    }
  }
}

/** Rounding of two ways to the same variance. */
const sameVariance = 1e-9

function narrows(before: History, after: Estimated, { query }: GuardedQuery): boolean {
  const known = before.estimate(query)
  return !known.estimable || after.variance < known.variance * (1 - sameVariance)
}

/**
 * Everything that may have been seen, by the id it has or will have. A reservation without a record may be recorded
 * any moment, and an open run of somebody else may have come down as far as its grid goes: both count as if they had.
 * So a run need not look at what others buy meanwhile: they have counted it at its sharpest.
 */
function standing(book: Book, run: number | undefined): Map<string, Charge> {
  const all = new Map<string, Charge>()
  for (const { seq, kind, state, charges, reach, refines } of book.releases) {
    if (state === 'void' || seq === run) continue
    // Given its refinement, the answer before it tells nothing more.
    if (refines !== null) all.delete(refines)
    const shown = kind === 'run-open' && state === 'open' ? reach : charges
    for (const [i, charge] of shown.entries()) all.set(measurementId(seq, i), charge)
  }
  return all
}

/** With the charges, and without the answers that they refine: of equal ones any, since no value matters. */
function replaced(released: ReadonlyMap<string, Charge>, charges: readonly Charge[]): Charge[] {
  const left = new Map(released)
  for (const { query, paid } of charges) {
    if (!paid) continue
    const wanted = textOf({ query, law: paid })
    const parent = left.entries().find(([, charge]) => textOf(charge) === wanted)
    if (parent) left.delete(parent[0])
  }
  return [...left.values(), ...charges]
}

const textOf = ({ query, law }: { query: Charge['query']; law: NoiseLaw }): string =>
  canonicalJson([queryToJson(query), lawToJson(law)])

/**
 * Could the posterior put more than the confidence on some interval of half-width `within`? Errs towards yes: by what
 * the posterior may be blurred and off, and by half a step, as the interval that holds most need not be centred.
 */
function tellsTooMuch({ coefficients }: Estimated, { query, within, confidence }: GuardedQuery): boolean {
  const posterior = posteriorByCharacteristic(coefficients, { blur: blurFor({ within, confidence }) })
  const reach = within + toNumber(query.step) / 2 + posterior.blur
  return posterior.between(-reach, reach) + posterior.slack > confidence
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
