import { toldDown, toldUp } from '../../numeric/index.ts'
import { type Guard, ReticentError } from '../../schema/index.ts'
import {
  type Cap,
  type Charge,
  epsilonAt,
  fits,
  leftOf,
  leftToHold,
  type Spending,
  unitsToNumber,
  zeroSpending,
} from '../accounting/index.ts'
import { type Append, type Book, type Head, type Ledger, type Row, type StoredRow, sameHead } from '../ledger/index.ts'

/** An analyst's own cap, on top of the dataset's. */
export interface Quota {
  readonly name: string
  readonly cap: Cap
}

/**
 * Throws if a purchase would reveal too much about a guarded query; decides on public values alone. With the number of
 * an open run, the charges are all of that run's answers as they would then be.
 */
export type Approve = (charges: readonly Charge[], run?: number) => void

/** For policies without guards. */
export const approveAll: Approve = () => {}

export interface Parts {
  readonly book: Book
  readonly ledger: Ledger
  readonly approve: Approve
  /** The epoch that the engine's encoding belongs to. */
  readonly epoch: number
  /** The guards that `approve` keeps; none unless given. */
  readonly guards?: readonly Guard[]
  /** Called with the number of every reservation as soon as it is made: a failure after that has been paid for. */
  readonly onCharge?: (reservation: number) => void
}

/** What must be paid for, before any noise is drawn. */
export interface Bill {
  readonly row: Row
  readonly charges: readonly Charge[]
  readonly analyst: Quota | null
  /** The bill's own price, for the message of a refusal. */
  readonly asked: Spending
  /** Held for every record, beside the charges. */
  readonly held?: Spending
  /** What a run reveals at once, and the most precise answers that it may ever reveal; its reservation pays for them. */
  readonly shown?: readonly Charge[]
  readonly reach?: () => readonly Charge[]
  /** Throws if the current ledger does not allow the purchase at any price. */
  readonly refuse?: () => void
  /** The ledger's head at planning time: nothing is bought if the ledger has moved on, unless the plan is still good. */
  readonly plannedAt?: Head
  readonly stands?: () => boolean
}

interface Reserved {
  readonly stored: StoredRow
  /** What the dataset had spent before, and has spent with this. */
  readonly before: Spending
  readonly after: Spending
  /** Whether everything that a run may ever reveal is approved: then it need not ask the guards again. */
  readonly approved: boolean
}

type Checked = Omit<Reserved, 'stored' | 'before'> & { readonly head: Head }

/**
 * Checks and reserves as one step: if another process has appended in between, it checks again, in its turn. What had
 * been spent before is only needed for the receipt, and takes longer to compute than that the cap is kept; so it is
 * computed once, from the rows that the charge is appended to, while the ledger writes: others wait for this turn to end.
 */
export async function reserve(parts: Parts, bill: Bill): Promise<Reserved> {
  const { ledger, book } = parts
  let checked = await checkFirst(parts, bill)
  let before = zeroSpending
  const inTurn = async (append: Append) => {
    await book.follow()
    if (!sameHead(checked.head, book.head)) checked = check(parts, bill)
    const appending = append(bill.row, checked.head)
    before = book.spent()
    return appending
  }
  let stored = await ledger.inTurn(inTurn)
  // Another process was faster: nothing was written.
  while (!stored) stored = await ledger.inTurn(inTurn)
  parts.onCharge?.(stored.seq)
  return { ...checked, before, stored }
}

/**
 * A first check, before others have to wait: a purchase that is refused here need not queue, and one that is not has
 * little left to check in its turn. It uses the rows already read; only a refusal looks whether there are more.
 */
async function checkFirst(parts: Parts, bill: Bill): Promise<Checked> {
  await parts.book.follow('known')
  try {
    return check(parts, bill)
  } catch {
    await parts.book.follow()
    return check(parts, bill)
  }
}

/** The cost of the bill by the current book; throws if it cannot be bought. */
function check({ book, approve, epoch, guards = [] }: Parts, bill: Bill): Checked {
  sameEpoch({ book, epoch })
  // A guard that was put up later, or taken down, by whoever opened the ledger with the policy as it is now.
  if (!book.keepsGuards(guards)) throw policyOver('changed the guards')
  requirePlanned(book, bill)
  bill.refuse?.()
  const after = within(book, bill)
  const approved = approve === approveAll || (bill.reach !== undefined && accepts(approve, bill.reach()))
  if (!approved) approve(bill.shown ?? bill.charges)
  return { head: book.head, after, approved }
}

/** Throws if the ledger has changed since planning: another plan may now be cheaper, or free. */
export function requirePlanned({ head }: Book, { plannedAt, stands }: Pick<Bill, 'plannedAt' | 'stands'>): void {
  if (!plannedAt || sameHead(plannedAt, head) || stands?.()) return
  throw new ReticentError(
    'ledger-moved',
    {},
    { message: 'the ledger has grown since this purchase was planned', hint: 'Plan it again.' },
  )
}

function accepts(approve: Approve, charges: readonly Charge[]): boolean {
  try {
    approve(charges)
    return true
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'guarded') return false
    throw error
  }
}

interface Payer {
  readonly cap: Cap
  /** Undefined for the dataset itself. */
  readonly analyst?: string
}

/** The amount spent including this bill; throws if it exceeds the dataset's cap, or the analyst's quota. */
function within(book: Book, bill: Bill): Spending {
  const { charges, held, analyst } = bill
  const dataset: Payer = { cap: book.cap }
  const payers = analyst ? [dataset, { cap: analyst.cap, analyst: analyst.name }] : [dataset]
  const after = payers.map(({ cap, analyst }) => book.spentWith(charges, cap, { analyst, held }))
  const over = payers.filter(({ cap }, i) => !fits(after[i]!, cap)).map((payer) => standing(payer, bill, book))
  if (over.length === 0) return after[0]!
  // Report whichever has least left: with the other's amount, the purchase would be refused again.
  const least = over.reduce((a, b) => (b.left < a.left ? b : a))
  const instead = `Ask with --epsilon ${toldDown(least.left)} or less; the answer will be noisier.`
  throw tooDear(bill.asked, least, least.left > 0 ? instead : nothingLeft(payers, book), book)
}

interface Standing extends Payer {
  readonly spent: Spending
  /** The largest E that one more purchase of the bill's kind could have. */
  readonly left: number
}

function standing({ cap, analyst }: Payer, { held }: Bill, book: Book): Standing {
  const spent = book.spent(analyst, cap)
  const holdsEpsilon = held && Number.isFinite(held.epsilon)
  return { cap, analyst, spent, left: holdsEpsilon ? leftToHold(spent, cap) : leftOf(spent, cap, book) }
}

function tooDear(asked: Spending, { cap, analyst, spent, left }: Standing, hint: string, book: Book): ReticentError {
  const total = unitsToNumber(cap.epsilon)
  const cost = epsilonAt(asked, book)
  const facts = { asked: cost, left, cap: total, ...(analyst === undefined ? {} : { analyst }) }
  if (cap.rho === null && spent.epsilon === Number.POSITIVE_INFINITY) return pastPureEpsilon(facts)
  // Beyond what units can count.
  const price = Number.isFinite(cost) ? `ε = ${toldUp(cost)}` : 'far more than any budget'
  const message = `this costs ${price}, but only ${toldDown(left)} is left of ${analyst === undefined ? 'the' : `${analyst}'s`} budget of ${total}`
  return new ReticentError('budget-exceeded', facts, { message, hint })
}

/** If ρ is used up, plain ε may be left: it buys no Gaussian noise, but a run can reserve it. */
function nothingLeft(payers: readonly Payer[], book: Book): string {
  const held = Math.min(...payers.map(({ cap, analyst }) => leftToHold(book.spent(analyst, cap), cap)))
  return held > 0
    ? `Nothing is left for Gaussian noise; release marginals --method ireduct can still spend --epsilon ${toldDown(held)} or less.`
    : 'Nothing is left to spend; only the owner can raise the cap (reticent ledger cap).'
}

const pastPureEpsilon = (facts: ReticentError['facts']) =>
  new ReticentError('budget-exceeded', facts, {
    message:
      'Gaussian noise was bought before, which plain ε cannot account for, so nothing more can be bought in plain ε',
    hint: 'The owner can remove `composition: pure` from the policy.',
  })

/** What is revealed later is judged together with earlier releases, and the guards of an epoch look only at its own releases. */
export function sameEpoch({ book, epoch }: Pick<Parts, 'book' | 'epoch'>): void {
  if (book.epochs !== epoch) throw policyOver('begun a new epoch')
}

const policyOver = (done: string): ReticentError =>
  new ReticentError(
    'policy-changed',
    {},
    {
      message: `the owner has ${done} since this dataset was opened`,
      hint: 'Open it again, with the policy as it is now.',
    },
  )
