import { ReticentError } from '../../schema/index.ts'
import {
  addSpending,
  type Cap,
  type Charge,
  epsilonOfRho,
  fits,
  nothing,
  type Spending,
  unitsToNumber,
} from '../accounting/index.ts'
import type { Book, Head, Ledger, Row, StoredRow } from '../ledger/index.ts'

/** An analyst's own cap, on top of the dataset's. */
export interface Quota {
  readonly name: string
  readonly cap: Cap
}

/** Says no, by throwing, to a purchase that would tell too much about a guarded query; from public values alone. */
export type Approve = (charges: readonly Charge[]) => void

export interface Parts {
  readonly book: Book
  readonly ledger: Ledger
  readonly approve: Approve
  /** The epoch that the engine's encoding belongs to. */
  readonly epoch: number
}

/** What is to be paid for, before any of it is drawn. */
export interface Bill {
  readonly row: Row
  readonly charges: readonly Charge[]
  readonly analyst: Quota | null
  /** What the bill comes to by itself, for a refusal's words. */
  readonly asked: Spending
  /** Held for every record, beside the charges. */
  readonly held?: Spending
}

export interface Reserved {
  readonly stored: StoredRow
  /** What the dataset had spent before, and has spent with this. */
  readonly before: Spending
  readonly after: Spending
}

/** Checks and reserves as one step: when another process has appended in between, it checks again. */
export async function reserve({ book, ledger, approve, epoch }: Parts, bill: Bill): Promise<Reserved> {
  for (;;) {
    await book.follow()
    const head: Head = book.head
    if (book.epochs !== epoch) throw epochOver()
    const before = book.spent()
    const after = within(book, book.cap, bill)
    if (bill.analyst) within(book, bill.analyst.cap, bill, bill.analyst.name)
    approve(bill.charges)
    const stored = await ledger.append(bill.row, head)
    if (stored) return { stored, before, after }
  }
}

/** The bound with this bill; throws when it is above the cap. */
function within(book: Book, cap: Cap, { charges, held, asked }: Bill, analyst?: string): Spending {
  const spending = book.spentWith(charges, cap, { analyst, held })
  if (fits(spending, cap)) return spending
  const spent = book.spent(analyst)
  const left = leftOf(spent, cap, book)
  const total = unitsToNumber(cap.epsilon)
  const cost = epsilonAt(asked, book)
  const facts = { asked: cost, left, cap: total, ...(analyst === undefined ? {} : { analyst }) }
  throw new ReticentError('budget-exceeded', facts, {
    message: `this costs ε = ${cost}, and ${left} is left of ${analyst === undefined ? 'the' : `${analyst}'s`} budget of ${total}`,
    hint:
      left > 0
        ? `Ask with --epsilon ${left} or less; the answer will be noisier.`
        : 'Nothing is left to spend; only the owner can raise the cap (reticent ledger cap).',
  })
}

/** A spending as one ε at the promise's δ: the better of what the two currencies say, rounded up. */
export function epsilonAt({ epsilon, rho }: Spending, book: Book): number {
  const pure = unitsToNumber(epsilon)
  return book.cap.rho === null ? pure : Math.min(pure, epsilonOfRho(unitsToNumber(rho), book.terms.delta))
}

/** The largest E that one more `--epsilon E` could have, for a question that everybody answers. */
export function leftOf(spent: Spending, cap: Cap, book: Book): number {
  const pure = unitsToNumber(Math.max(0, cap.epsilon - spent.epsilon))
  if (cap.rho === null) return pure
  const rho = Math.max(0, cap.rho - spent.rho)
  return Math.max(pure, floorDigits(epsilonOfRho(unitsToNumber(rho), book.terms.delta)))
}

/** Down to twelve digits after the point, so that asking for exactly what is left is not refused for a rounding. */
const floorDigits = (value: number): number => Math.floor(value * 1e9) / 1e9

export const epochOver = (): ReticentError =>
  new ReticentError(
    'policy-changed',
    {},
    {
      message: 'the owner has begun a new epoch since this dataset was opened',
      hint: 'Open it again, with the policy as it is now.',
    },
  )

export const sumSpending = (all: readonly Spending[]): Spending => all.reduce(addSpending, nothing)
