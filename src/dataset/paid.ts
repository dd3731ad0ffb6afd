import { type Cost, costOf, priceOf, Refusal, type Session } from '../answer/index.ts'
import { toldUp } from '../numeric/index.ts'
import { type LinearQuery, queryKey } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { addSpending, type Spending, zeroSpending } from '../trusted/accounting/index.ts'
import { formatReceipt } from '../trusted/ledger/index.ts'

/** A session that knows what was charged in it: the numbers of its reservations. */
export interface PaidSession extends Session {
  readonly reservations: readonly number[]
}

/** What somebody sets out to buy. */
interface Wish {
  /** Unknown in advance if the first purchase decides the rest. */
  readonly queries?: readonly LinearQuery[]
  /** How to see what was paid for at no cost, where this share of the queries was measured. */
  readonly seeFree: (share: number) => string
}

/**
 * Does work that buys something. If it fails after a purchase, the error also gives what was spent, the receipt, and
 * how to see the results at no cost.
 */
export async function sayingWhatWasPaid<T>(session: PaidSession, wish: Wish, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // A ledger that was moved or lost meanwhile says nothing more, but what was charged here is known.
    await session.book.follow().catch(() => session.book.follow('known').catch(() => undefined))
    throw withPayment(error, paymentIn(session, wish))
  }
}

interface Payment {
  readonly cost: Cost
  readonly receipt: string
  /** Whether its purchases are in the history; not so if a failure left a purchase without its record. */
  readonly isRecorded: boolean
  /** How to see it; undefined if that is the number of records alone. */
  readonly hint?: string
}

/** What the purchases of a session cost. */
export function paidIn({ book, reservations }: PaidSession): Spending {
  const own = book.releases.filter(({ seq }) => reservations.includes(seq))
  const spendings = own.flatMap(({ held, charges }) => [held, ...charges.map((charge) => priceOf(charge, book))])
  return spendings.reduce(addSpending, zeroSpending)
}

function paymentIn(session: PaidSession, { queries, seeFree }: Wish): Payment {
  const { book, reservations } = session
  const own = book.releases.filter(({ seq }) => reservations.includes(seq))
  const recorded = new Set(own.flatMap(({ measurements }) => measurements.map(({ query }) => queryKey(query))))
  const isRecorded = recorded.size > 0
  const measured = queries?.filter((query) => recorded.has(queryKey(query))).length
  const share = measured === undefined ? Number(isRecorded) : measured / queries!.length
  return {
    cost: costOf(paidIn(session), book),
    receipt: formatReceipt(book.head),
    isRecorded,
    ...(share > 0 && { hint: seeFree(share) }),
  }
}

function withPayment(error: unknown, { cost: { epsilon, rho }, receipt, isRecorded, hint }: Payment): unknown {
  const isOurs = error instanceof ReticentError
  const isFree = epsilon === 0 && !rho
  if (isFree && !(isOurs && error.code === 'interrupted')) return error
  const facts = { paid: epsilon, receipt }
  const bought = isRecorded ? 'what it bought is in the history' : 'nothing that it bought is in the history'
  const spent = isFree
    ? 'Nothing is spent.'
    : `ε = ${toldUp(epsilon)} is spent, and ${bought}; receipt ${shortOf(receipt)}.`
  if (!isOurs) return failure(facts, spent, hint)
  const detail = [error.code === 'interrupted' ? undefined : error.detail, spent].filter(Boolean).join('\n')
  const { code, message } = error
  const told = new ReticentError(code, Object.assign({}, error.facts, facts), {
    message,
    detail,
    hint: error.hint ?? hint,
  })
  return error instanceof Refusal ? new Refusal(told, error.free) : told
}

/** A shortened receipt for people; programs get all of it in the facts. */
const shortOf = (receipt: string): string => receipt.slice(0, receipt.indexOf(':') + 17)

/** A mistake of ours: its own text may quote the data, so it is neither shown nor kept as a cause. */
const failure = (facts: ReticentError['facts'], detail: string, hint?: string) =>
  new ReticentError('failed-after-charge', facts, {
    message: 'something went wrong inside Reticent after this was paid for',
    detail,
    hint,
  })
