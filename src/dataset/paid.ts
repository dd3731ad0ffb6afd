import { priceOf } from '../answer/index.ts'
import { countAll, type LinearQuery, queryKey } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { addSpending, isAnswer, unitsToNumber, zeroSpending } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt, type Release } from '../trusted/ledger/index.ts'

/** What a release sets out to buy, beside the number of records. */
export interface Wanted {
  readonly queries: readonly LinearQuery[]
  readonly analyst: string | null
  /** How to see what was paid for at no cost, where this share of the queries was measured. */
  readonly seeFree: (share: number) => string
}

/**
 * Does work that buys something. Where it fails after that, the error also says what was spent, the receipt, and how to
 * see what was paid for at no cost.
 */
export async function sayingWhatWasPaid<T>(book: Book, wanted: Wanted, work: () => Promise<T>): Promise<T> {
  const { seq } = book.head
  try {
    return await work()
  } catch (error) {
    await book.follow().catch(() => undefined)
    throw withPayment(error, paymentSince(seq, book, wanted))
  }
}

interface Payment {
  readonly epsilon: number
  readonly receipt: string
  /** Whether what it bought is in the history; it is not where a failure left a purchase without its record. */
  readonly isRecorded: boolean
  /** How to see it; undefined where that is the number of records alone. */
  readonly hint?: string
}

function paymentSince(seq: number, book: Book, wanted: Wanted): Payment {
  const own = ownSince(seq, book, wanted)
  const spendings = own.flatMap(({ held, charges }) => [held, ...charges.map((charge) => priceOf(charge, book))])
  const recorded = new Set(own.flatMap(({ measurements }) => measurements.map(({ query }) => queryKey(query))))
  const measured = wanted.queries.filter((query) => recorded.has(queryKey(query))).length
  return {
    epsilon: unitsToNumber(spendings.reduce(addSpending, zeroSpending).epsilon),
    receipt: formatReceipt(book.head),
    isRecorded: recorded.size > 0,
    ...(measured > 0 && { hint: wanted.seeFree(measured / wanted.queries.length) }),
  }
}

/** Others may buy meanwhile: a purchase of ours asks for nothing but what was wanted. */
function ownSince(seq: number, book: Book, { queries, analyst }: Wanted): Release[] {
  const keys = new Set([countAll, ...queries].map(queryKey))
  return book.releases.filter(
    (release) =>
      release.seq > seq &&
      release.analyst === analyst &&
      release.statement === null &&
      [...release.charges.filter(isAnswer), ...release.reach].every(({ query }) => keys.has(queryKey(query))),
  )
}

function withPayment(error: unknown, { epsilon, receipt, isRecorded, hint }: Payment): unknown {
  const isOurs = error instanceof ReticentError
  if (epsilon === 0 && !(isOurs && error.code === 'interrupted')) return error
  const facts = { paid: epsilon, receipt }
  const bought = isRecorded ? 'what it bought is in the history' : 'nothing that it bought is in the history'
  const spent = epsilon === 0 ? 'Nothing is spent.' : `ε = ${epsilon} is spent, and ${bought}; receipt ${receipt}.`
  if (!isOurs) return Object.assign(failure(facts, spent, hint), { cause: error })
  const detail = [error.code === 'interrupted' ? undefined : error.detail, spent].filter(Boolean).join('\n')
  return new ReticentError(error.code, Object.assign({}, error.facts, facts), {
    message: error.message,
    detail,
    hint: error.hint ?? hint,
  })
}

/** A mistake of ours: its own text may quote the data, and is not shown. */
const failure = (facts: ReticentError['facts'], detail: string, hint?: string) =>
  new ReticentError('failed-after-charge', facts, {
    message: 'something went wrong inside Reticent after this was paid for',
    detail,
    hint,
  })
