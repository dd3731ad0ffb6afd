import type { Charge } from './account.ts'
import { openAccount, type WorstCellAccount } from './open-account.ts'
import type { Terms } from './price.ts'
import { addUnits, type Units } from './units.ts'

/** A cost in both currencies; each bounds what any record has paid. */
export interface Spending {
  readonly epsilon: Units
  readonly rho: Units
}
/** What may be spent: it holds when *either* currency keeps it (docs/algorithms/two-currencies.md). null: ε alone. */
export interface Cap {
  readonly epsilon: Units
  readonly rho: Units | null
}

export const zeroSpending: Spending = { epsilon: 0, rho: 0 }
export const addSpending = (a: Spending, b: Spending): Spending => ({
  epsilon: addUnits(a.epsilon, b.epsilon),
  rho: addUnits(a.rho, b.rho),
})
export const fits = (spending: Spending, cap: Cap): boolean =>
  spending.epsilon <= cap.epsilon || (cap.rho !== null && spending.rho <= cap.rho)

/**
 * What one payer has spent: worst cells in both currencies, and what is held for every record whatever its cell. A run
 * holds its whole ε while it is open. One that lowers noise keeps holding in ρ, because how far it went may depend on what
 * it saw.
 */
export class Purse {
  readonly #epsilon: WorstCellAccount
  readonly #rho: WorstCellAccount
  #held: Spending = zeroSpending

  constructor(terms: Omit<Terms, 'currency'>) {
    this.#epsilon = openAccount({ ...terms, currency: 'epsilon' })
    this.#rho = openAccount({ ...terms, currency: 'rho' })
  }

  /** In ε alone unless ρ is asked for: the tighter the bound, the more work. */
  spent(cap: Cap): Spending {
    const rho = cap.rho === null ? 0 : this.#rho.spent()
    return addSpending(this.#held, { epsilon: this.#epsilon.spent(), rho })
  }

  /** What would be spent with these charges and holds; works only as hard as it takes to fit the cap. */
  with(charges: readonly Charge[], cap: Cap, held: Spending = zeroSpending): Spending {
    const base = addSpending(this.#held, held)
    const epsilon = addUnits(base.epsilon, this.#epsilon.with(charges, cap.epsilon - base.epsilon))
    if (cap.rho === null) return { epsilon, rho: 0 }
    // When ε keeps the cap the cheap bound in ρ will do.
    const target = epsilon <= cap.epsilon ? Number.POSITIVE_INFINITY : cap.rho - base.rho
    return { epsilon, rho: addUnits(base.rho, this.#rho.with(charges, target)) }
  }

  /** Charges measurements. In ρ they may be covered by what is held already. */
  add(charges: readonly Charge[], covered: 'covered in ρ' | undefined = undefined): void {
    this.#epsilon.add(charges)
    if (!covered) this.#rho.add(charges)
  }

  hold(more: Spending): void {
    this.#held = addSpending(this.#held, more)
  }
  /** Gives back a hold whose place charges have taken. */
  release({ epsilon, rho }: Spending): void {
    this.#held = { epsilon: this.#held.epsilon - epsilon, rho: this.#held.rho - rho }
  }

  /** What some record has certainly paid, in either currency. */
  exhibit(): Spending {
    return { epsilon: this.#epsilon.exhibit(), rho: this.#rho.exhibit() }
  }
}
