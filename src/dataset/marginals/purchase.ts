import { costOf, leftToAsk, priceOfAnswer, type Session } from '../../answer/index.ts'
import { subtract, toNumber } from '../../numeric/index.ts'
import { firstLook, type MarginalsRequest, measureMarginals, methodNamed } from '../../release/index.ts'
import type { ReticentError } from '../../schema/index.ts'
import {
  addSpending,
  measurementCharge,
  runHold,
  type Spending,
  unitsToRational,
  zeroSpending,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Closing } from '../../trusted/meter/index.ts'
import { byQuery } from '../history/measurements.ts'
import { onBehalfOf } from '../on-behalf.ts'
import { isAffordable, pricesIn, purposeOf, tooExpensive } from './pricing.ts'
import { type RecordsFor, recordsFrom } from './records.ts'
import type { TablesSource } from './tables.ts'

/** What comes after the purchase is quick, and takes about a fifth of the time. */
const shareOfBuying = 0.8

/** Buys marginals by their method. Refuses what the budget or a guard does not allow before anything is paid for. */
export async function buyMarginals(
  request: MarginalsRequest & { readonly records: RecordsFor },
  session: Session,
): Promise<TablesSource> {
  const { book, quota, progress, signal } = session
  const before = book.spent()
  // The meter would say so too, but not before the number of records is paid for.
  if (!isAffordable(runHold(request.budget), session)) throw refused(request, session)
  refuseGuarded(request, session)
  const { marginals, receipts, records, floor } = await measureMarginals(request, {
    ...pricesIn(book, request.budget),
    meter: onBehalfOf(await session.meter(), quota),
    progress: (share) => progress?.(shareOfBuying * share),
    signal,
  })
  return {
    method: request.method,
    budget: request.budget,
    before,
    paid: priceOf(request, receipts, book),
    own: byQuery(receipts.flatMap(({ measurements }) => measurements)),
    ...(records !== undefined && { records: { count: records, from: recordsFrom(request.records) } }),
    floor,
    heldBack: marginals.filter(({ heldBack }) => heldBack).map(({ attributes }) => attributes),
  }
}

/**
 * Asks the guards about all first answers before any of them, or the number of records, is paid for: where that is
 * bought, as far as they do not depend on it. (The meter asks again.)
 */
function refuseGuarded(request: MarginalsRequest, { book, approve }: Session): void {
  const { method, records } = request
  if (methodNamed(method).needs.records && records.kind === 'bought') return
  const count = records.kind === 'known' ? records.count : 1
  approve(firstLook(request, count, pricesIn(book, request.budget)).map(measurementCharge))
}

/** What the purchases cost, the last of which is the method's own: in ρ its answers, or all that it held for them. */
function priceOf({ method, budget }: MarginalsRequest, receipts: readonly Closing[], book: Book): Spending {
  const priceOfAll = (all: readonly Closing[]) =>
    all
      .flatMap(({ measurements }) => measurements.map((each) => priceOfAnswer(each, book)))
      .reduce(addSpending, zeroSpending)
  const [first, own] = [priceOfAll(receipts.slice(0, -1)), priceOfAll(receipts.slice(-1))]
  if (!methodNamed(method).keepsHold || budget.rho) return addSpending(first, own)
  const { rho } = runHold({ epsilon: subtract(budget.epsilon, unitsToRational(first.epsilon)) })
  return addSpending(first, { epsilon: own.epsilon, rho })
}

function refused({ budget, method }: MarginalsRequest, { book, quota }: Session): ReticentError {
  // Where ρ counts, Laplace noise has another ε left.
  const asked = budget.epsilon ? toNumber(budget.epsilon) : costOf(runHold(budget), book).epsilon
  const isOther = book.cap.rho !== null && budget.epsilon !== undefined
  return tooExpensive(asked, leftToAsk(book, quota, purposeOf(budget)).epsilon, isOther ? ` for ${method}` : '')
}
