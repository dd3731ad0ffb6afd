import { ReticentError } from '../schema/index.ts'
import type { Spending } from '../trusted/accounting/index.ts'
import type { Book } from '../trusted/ledger/index.ts'
import { costOf } from './cost.ts'

/** Refuses a purchase that costs more than the one who asks allows. */
export function checkPrice(price: Spending, most: number | undefined, book: Book): void {
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
