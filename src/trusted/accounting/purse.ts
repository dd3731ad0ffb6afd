import type { Charge } from './charge.ts'
import { openAccount, type WorstCellAccount } from './open-account.ts'
import type { Terms } from './price.ts'
import { addSpending, type Cap, type Spending, sumSpending, zeroSpending } from './spending.ts'
import { addUnits } from './units.ts'

/**
 * What one payer has spent: worst cells in both currencies, and what is held for every record whatever its cell. A run
 * holds all that it may cost while it is open. One that lowers noise keeps holding in ρ, because how far it went may
 * depend on what it saw.
 */
export class Purse {
  readonly #epsilon: WorstCellAccount
  readonly #inRho: WorstCellAccount
  /** Charges that are not in the account in ρ yet: under a cap in ε alone nobody ever asks for it. */
  readonly #waiting: (readonly Charge[])[] = []
  /** What is held, by the number of the run that holds it. */
  readonly #holds = new Map<number, Spending>()

  constructor(terms: Omit<Terms, 'currency'>) {
    this.#epsilon = openAccount({ ...terms, currency: 'epsilon' })
    this.#inRho = openAccount({ ...terms, currency: 'rho' })
  }

  /** With all charges, in their order. */
  get #rho(): WorstCellAccount {
    let added = 0
    try {
      for (; added < this.#waiting.length; added++) this.#inRho.add(this.#waiting[added]!)
    } finally {
      // If one fails, it and those behind it go on waiting: none is ever left out.
      this.#waiting.splice(0, added)
    }
    return this.#inRho
  }

  /** In ε alone unless ρ is asked for: the tighter the bound, the more work. */
  spent(cap: Cap): Spending {
    const rho = cap.rho === null ? 0 : this.#rho.spent()
    return addSpending(this.#held, { epsilon: this.#epsilon.spent(), rho })
  }

  /** What would be spent with these charges and holds; works only as hard as it takes to fit the cap. */
  with(charges: readonly Charge[], cap: Cap, held: Spending = zeroSpending): Spending {
    const base = addSpending(this.#held, held)
    const epsilon =
      base.epsilon === Number.POSITIVE_INFINITY
        ? base.epsilon
        : addUnits(base.epsilon, this.#epsilon.with(charges, cap.epsilon - base.epsilon))
    if (cap.rho === null) return { epsilon, rho: 0 }
    // When ε keeps the cap the cheap bound in ρ will do.
    const target = epsilon <= cap.epsilon ? Number.POSITIVE_INFINITY : cap.rho - base.rho
    return { epsilon, rho: addUnits(base.rho, this.#rho.with(charges, target)) }
  }

  /** Charges these. In ρ they may be covered by what is held already. */
  add(charges: readonly Charge[], covered: 'covered in ρ' | undefined = undefined): void {
    this.#epsilon.add(charges)
    if (!covered) this.#waiting.push(charges)
  }

  /** What a run holds from now on: zero once charges have taken its place. */
  hold(run: number, spending: Spending): void {
    if (spending.epsilon === 0 && spending.rho === 0) this.#holds.delete(run)
    else this.#holds.set(run, spending)
  }
  get #held(): Spending {
    return sumSpending(this.#holds.values())
  }

  /** What some record has certainly been charged, in either currency; what is held is held for every record. */
  exhibit(): Spending {
    return addSpending(this.#held, { epsilon: this.#epsilon.exhibit(), rho: this.#rho.exhibit() })
  }
}
