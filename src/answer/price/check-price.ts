import { ReticentError } from '../../schema/index.ts'
import type { Spending } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { costOf } from './cost.ts'

/** A question with a price of its own that it must not exceed. */
export interface Capped {
  readonly maxEpsilon?: number
}

/** Refuses a purchase that costs more than the one who asks allows. */
export function checkPrice(price: Spending, { maxEpsilon: most }: Capped, book: Book): void {
  const { epsilon } = costOf(price, book)
  if (most === undefined || epsilon <= most) return
  throw new ReticentError(
    'budget-exceeded',
    { asked: epsilon, most },
    {
      message: `this precision costs ε = ${epsilon}, more than the ${most} that was allowed for it`,
      hint: 'Ask for less precision, or allow more with --max-epsilon.',
    },
  )
}
