import { describe, type LinearQuery } from '../../query/index.ts'
import { type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { PartReport } from '../answer.ts'
import type { Choice } from './choice.ts'
import { costOf } from './cost.ts'
import { scaleOf } from './priced-part.ts'

/** What a part of a question is answered with, in words. */
export function reportOf(
  { query, choice }: { readonly query: LinearQuery; readonly choice: Choice },
  book: Book,
): PartReport {
  return {
    description: describe(query, book.universe),
    ...partCost(choice.kind === 'free' ? zeroSpending : choice.price, book),
    scale: choice.kind === 'free' ? 0 : scaleOf(choice.charge),
  }
}

/** The price of a part: ε at δ, and where δ > 0 also ρ, in which parts add up. */
export function partCost(price: Spending, book: Book): Pick<PartReport, 'epsilon' | 'rho'> {
  const { epsilon, rho } = costOf(price, book)
  return { epsilon, ...(rho !== undefined && { rho }) }
}
