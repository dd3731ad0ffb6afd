import { type Rational, toNumber } from '../../numeric/index.ts'
import { problem, type ReticentError } from '../../schema/index.ts'
import { type Held, rhoCap, unitsToRational } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'

/**
 * What may be held for every record so that a purchase by itself is (ε, δ)-private at the policy's δ: that ε or, where ρ
 * counts, the ρ that comes to it. In whole units where it is ρ.
 */
export function heldFor(epsilon: Rational, { cap, terms: { delta } }: Pick<Book, 'cap' | 'terms'>): Held {
  if (cap.rho === null) return { epsilon }
  const units = rhoCap(epsilon, delta)
  if (units === 0) throw buysNothing(epsilon, delta)
  return { rho: unitsToRational(units) }
}

export const buysNothing = (epsilon: Rational, delta: Rational): ReticentError =>
  problem(
    'usage',
    `ε = ${toNumber(epsilon)} is too small to buy anything at δ = ${toNumber(delta)}`,
    'Spend a larger ε, or ask for less at once.',
    { epsilon: toNumber(epsilon) },
  )
