import type { AnalystBudget, Budget } from '../../index.ts'
import { number, table } from '../format.ts'

/** A row for the dataset, one per analyst. */
export function budgetText(b: Budget): Iterable<string> {
  // With δ what is left depends on the noise that it is to buy.
  const both = b.cap.rho !== undefined
  const row = (name: string, { cap, spent, left, leftForLaplace }: AnalystBudget | Budget) => [
    name,
    number(spent.epsilon),
    number(left.epsilon),
    ...(both ? [number(leftForLaplace.epsilon)] : []),
    number(cap.epsilon),
    bar(spent.epsilon / cap.epsilon),
  ]
  const columns = both ? ['spent', 'left', 'left for Laplace noise', 'cap'] : ['spent', 'left', 'cap']
  const said = table(
    ['ε', ...columns, ''],
    [row(b.dataset, b), ...b.analysts.map((a) => row(a.name, a))],
    [false, ...columns.map(() => true), false],
  )
  return [...said, ...(b.lost ? [lostText(b.lost.epsilon)] : []), ...(both ? [adding] : [])]
}

const lostText = (epsilon: number) =>
  `Of what is spent, ε ${number(epsilon)} was charged for rows that were lost when an older copy of the ledger was restored.`

const adding =
  'What is left is the most that one more purchase may cost. With δ, costs do not simply add up: spent plus left is not the cap.'

const bar = (share: number): string => {
  const full = Math.min(20, Math.round(share * 20))
  return '█'.repeat(full) + '░'.repeat(20 - full)
}
