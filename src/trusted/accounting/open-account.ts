import { sameJson } from '../../query/index.ts'
import type { Account } from './account.ts'
import { type AnswerCharge, type Charge, isAnswer } from './charge.ts'
import { price, type Terms } from './price.ts'
import { addUnits, timesUnits, type Units } from './units.ts'
import { WorstCell } from './worst-cell/worst-cell.ts'

/** A cell (codes in the universe's order) and a cost that no bound on these charges can be below. */
interface BestCell {
  readonly cell: Int32Array
  readonly units: Units
}

export interface WorstCellAccount extends Account {
  /**
   * The costliest cell that a search finds: with it a ledger's reader can show that a cap was broken. The search is
   * deterministic; more restarts find costlier cells.
   */
  bestCell(restarts: number): BestCell
}

/**
 * What has been charged for answers: their worst cell, and the sum of their prices, which is the other bound under
 * replace-one. What every record pays alike stands outside of both.
 */
interface Balance {
  readonly worst: WorstCell
  readonly prices: Units
  readonly outside: Units
}

/**
 * An account whose bound is the worst cell's cost: exact where elimination can be afforded, by dual messages beyond.
 * Proof and determinism: docs/algorithms/worst-cell.md
 */
export function openAccount(terms: Terms): WorstCellAccount {
  const replace = terms.privacy.neighbours === 'replace-one'
  // Replacing a record is removing one and adding one: twice the worst cell in ε, four times in ρ.
  const twice = terms.currency === 'rho' ? 4 : 2
  let balance: Balance = { worst: WorstCell.none(terms), prices: 0, outside: 0 }
  /** The latest `with`, whose work `add` takes over when it charges the same. */
  let latest: { charges: readonly Charge[]; balance: Balance } | undefined

  const total = (worst: Units, prices: Units) => (replace ? Math.min(timesUnits(worst, twice), prices) : worst)
  const cost = ({ worst, prices, outside }: Balance) => addUnits(outside, total(worst.bound, prices))

  const extended = (charges: readonly Charge[]): Balance => {
    let { prices, outside } = balance
    const dear: AnswerCharge[] = []
    for (const charge of charges) {
      const units = price(charge, terms)
      if (!isAnswer(charge)) outside = addUnits(outside, units)
      else if (units > 0) {
        prices = addUnits(prices, units)
        dear.push(charge)
      }
    }
    return { worst: balance.worst.and(dear), prices, outside }
  }
  const lower = (b: Balance, cap: Units): Units => {
    const left = cap - b.outside
    if (cost(b) > cap) b.worst.lower(replace ? Math.floor(left / twice) : left)
    return cost(b)
  }

  const bestCell = (restarts: number): BestCell => {
    const { cell, units } = balance.worst.search(restarts)
    return { cell, units: addUnits(balance.outside, total(units, balance.prices)) }
  }

  return {
    spent() {
      balance.worst.settle()
      return cost(balance)
    },
    with(charges, cap) {
      let next = extended(charges)
      // Where one charge has no finite price, tables cannot help.
      if (cost(next) > cap && cost(next) < Number.POSITIVE_INFINITY) {
        balance.worst.build()
        next = extended(charges)
      }
      const units = lower(next, cap)
      latest = { charges, balance: next }
      balance.worst.learnFrom(next.worst)
      return units
    },
    add(charges) {
      // Unless the work was done on this balance since, and would be done again. Charges may have been written to a ledger and read back.
      const isAhead = latest && latest.balance.worst.built >= balance.worst.built
      balance = isAhead && sameJson(latest!.charges, charges) ? latest!.balance : extended(charges)
      latest = undefined
    },
    bestCell,
    exhibit: () => bestCell(500).units,
  }
}
