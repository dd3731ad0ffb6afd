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
export const sumSpending = (all: Iterable<Spending>): Spending => {
  let sum = zeroSpending
  for (const spending of all) sum = addSpending(sum, spending)
  return sum
}
export const fits = (spending: Spending, cap: Cap): boolean =>
  spending.epsilon <= cap.epsilon || (cap.rho !== null && spending.rho <= cap.rho)
